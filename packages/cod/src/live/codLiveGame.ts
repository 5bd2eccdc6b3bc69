import { matchLiveGame } from "@matchpoint/game/live/matchLiveGame"
import { decodeFeedEvent, encodeFeedEvent } from "../contract/feed.ts"
import { codRules } from "../rules/live/codRules.ts"
import { FeedEvent } from "../rules/live/feedEvents.ts"
import { CodResult, resultOf } from "../rules/live/result.ts"
import { documentOf } from "./documentOf.ts"
import { rowOf } from "./rowOf.ts"
import { webhookEvents } from "./webhookEvents.ts"

export const codLiveGame = matchLiveGame({
  rules: codRules,
  decodeEvent: decodeFeedEvent,
  encodeEvent: encodeFeedEvent,
  event: FeedEvent,
  documentOf,
  rowOf,
  result: CodResult,
  resultOf,
  webhookEvents,
  listed: ({ current, maps, mapsWon, silence, source, status, suspendedAt }) => [
    status,
    source,
    silence?.status,
    suspendedAt,
    mapsWon,
    current?.map,
    maps.map(({ scores }) => scores),
  ],
  partsWon: ({ mapsWon }) => mapsWon,
})
