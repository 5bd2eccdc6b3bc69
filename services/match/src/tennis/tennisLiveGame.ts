/** Implements the match service's game interface for tennis. */
import { decodeFeedEvent, encodeFeedEvent } from "@matchpoint/contracts/tennis/feed"
import { FeedEvent } from "@matchpoint/domain/tennis/live/feedEvents"
import { resultOf, TennisResult } from "@matchpoint/domain/tennis/live/result"
import { tennisRules } from "@matchpoint/domain/tennis/live/tennisRules"
import { matchLiveGame } from "../matchLiveGame.ts"
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
