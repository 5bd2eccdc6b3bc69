import { matchLiveGame } from "@matchpoint/game/live/matchLiveGame"
import { decodeFeedEvent, encodeFeedEvent } from "../contract/feed.ts"
import { FeedEvent } from "../rules/live/feedEvents.ts"
import { resultOf, TennisResult } from "../rules/live/result.ts"
import { tennisRules } from "../rules/live/tennisRules.ts"
import { documentOf, rowOf } from "./documentOf.ts"
import { webhookEvents } from "./webhookEvents.ts"

export const tennisLiveGame = matchLiveGame({
  rules: tennisRules,
  decodeEvent: decodeFeedEvent,
  encodeEvent: encodeFeedEvent,
  event: FeedEvent,
  documentOf,
  rowOf,
  result: TennisResult,
  resultOf,
  webhookEvents,
  listed: ({ game, sets, silence, source, status, suspendedAt }) => [status, source, silence?.status, suspendedAt, sets, game?.points],
  partsWon: ({ setsWon }) => setsWon,
})
