/** Implements the match service's game interface for Call of Duty. */
import { decodeFeedEvent, encodeFeedEvent } from "@matchpoint/contracts/cod/feed"
import { codRules } from "@matchpoint/domain/cod/live/codRules"
import { FeedEvent } from "@matchpoint/domain/cod/live/feedEvents"
import { CodResult, resultOf } from "@matchpoint/domain/cod/live/result"
import { matchLiveGame } from "../matchLiveGame.ts"
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
