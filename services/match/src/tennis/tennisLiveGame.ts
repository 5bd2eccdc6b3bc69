/** Implements the match service's game interface for tennis. */
import { decodeFeedEvent, encodeFeedEvent } from "@matchpoint/contracts/tennis/feed"
import { FeedEvent } from "@matchpoint/domain/tennis/live/feedEvents"
import { resultOf, TennisResult } from "@matchpoint/domain/tennis/live/result"
import type { MatchState } from "@matchpoint/domain/tennis/live/state"
import { tennisRules } from "@matchpoint/domain/tennis/live/tennisRules"
import { Option, Schema } from "effect"
import type { LiveGame } from "../LiveGame.ts"
import { PlainEncoder } from "../PlainEncoder.ts"
import { documentOf, rowOf } from "./documentOf.ts"
import { webhookEvents } from "./webhookEvents.ts"

/** Decodes the first event of a match from its row in the match register, where the feed service stores it. */
const decodeConfig = Schema.decodeUnknownOption(Schema.Struct({ created: FeedEvent }))

/** Omits fields of sets and other parts that are not in the schema. */
const encodeResult = Schema.encodeSync(Schema.toCodecJson(TennisResult))

export const tennisLiveGame: LiveGame<MatchState, FeedEvent> = {
  rules: tennisRules,
  decodeEvent: decodeFeedEvent,
  encodeEvent: encodeFeedEvent,
  encoder: () => new PlainEncoder({ documentOf, rowOf }),
  webhookEvents,
  resultOf: (state) => encodeResult(resultOf(state)),
  partsWon: ({ setsWon }) => setsWon,
  createdAgain: ({ config }, matchId, now) => {
    const created = Option.getOrUndefined(decodeConfig(config))?.created
    return created?.type === "MatchCreated" ? { ...created, matchId, receivedAt: now } : undefined
  },
}
