/** Implements the match service's game interface for Call of Duty. */
import { decodeFeedEvent, encodeFeedEvent } from "@matchpoint/contracts/cod/feed"
import { codRules } from "@matchpoint/domain/cod/live/codRules"
import { FeedEvent } from "@matchpoint/domain/cod/live/feedEvents"
import { CodResult, resultOf } from "@matchpoint/domain/cod/live/result"
import type { MatchState } from "@matchpoint/domain/cod/live/state"
import { Option, Schema } from "effect"
import type { LiveGame } from "../LiveGame.ts"
import { PlainEncoder } from "../PlainEncoder.ts"
import { documentOf } from "./documentOf.ts"
import { rowOf } from "./rowOf.ts"
import { webhookEvents } from "./webhookEvents.ts"

/** Decodes the first event of a match from its row in the match register, where the feed service stores it. */
const decodeConfig = Schema.decodeUnknownOption(Schema.Struct({ created: FeedEvent }))

const encodeResult = Schema.encodeSync(Schema.toCodecJson(CodResult))

export const codLiveGame: LiveGame<MatchState, FeedEvent> = {
  rules: codRules,
  decodeEvent: decodeFeedEvent,
  encodeEvent: encodeFeedEvent,
  encoder: () => new PlainEncoder({ documentOf, rowOf }),
  webhookEvents,
  resultOf: (state) => encodeResult(resultOf(state)),
  partsWon: ({ mapsWon }) => mapsWon,
  createdAgain: ({ config }, matchId, now) => {
    const created = Option.getOrUndefined(decodeConfig(config))?.created
    return created?.type === "MatchCreated" ? { ...created, matchId, receivedAt: now } : undefined
  },
}
