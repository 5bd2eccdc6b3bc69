/** Implements the match service's game interface for Apex. */
import { decodeFeedEvent, encodeFeedEvent } from "@matchpoint/contracts/apex/feed"
import { apexRules } from "@matchpoint/domain/apex/live/apexRules"
import { FeedEvent } from "@matchpoint/domain/apex/live/feedEvents"
import { ApexResult, resultOf } from "@matchpoint/domain/apex/live/result"
import type { LobbyState } from "@matchpoint/domain/apex/live/state"
import { Option, Schema } from "effect"
import type { LiveGame } from "../LiveGame.ts"
import { PlainEncoder } from "../PlainEncoder.ts"
import { documentOf, rowOf } from "./documentOf.ts"
import { webhookEvents } from "./webhookEvents.ts"

/** Decodes the first event of a lobby from its row in the match register, where the feed service stores it. */
const decodeConfig = Schema.decodeUnknownOption(Schema.Struct({ created: FeedEvent }))

const encodeResult = Schema.encodeSync(Schema.toCodecJson(ApexResult))

export const apexLiveGame: LiveGame<LobbyState, FeedEvent> = {
  rules: apexRules,
  decodeEvent: decodeFeedEvent,
  encodeEvent: encodeFeedEvent,
  encoder: () => new PlainEncoder({ documentOf, rowOf }),
  webhookEvents,
  resultOf: (state) => encodeResult(resultOf(state)),
  // A lobby has no two sides.
  partsWon: () => [0, 0],
  createdAgain: ({ config }, matchId, now) => {
    const created = Option.getOrUndefined(decodeConfig(config))?.created
    return created?.type === "MatchCreated" ? { ...created, matchId, receivedAt: now } : undefined
  },
}
