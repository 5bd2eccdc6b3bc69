/** Implements the match service's game interface for CS2. */
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import { Option, Schema } from "effect"
import { decodeFeedEvent, encodeFeedEvent } from "../contract/feed.ts"
import { cs2Rules } from "../rules/live/cs2Rules.ts"
import { FeedEvent } from "../rules/live/feedEvents.ts"
import type { MatchState } from "../rules/live/state.ts"
import { MatchEncoder } from "./encode/MatchEncoder.ts"
import { resultOf } from "./matchResult.ts"
import { webhookEvents } from "./webhookEvents.ts"

/** The feed service stores the first event in the match register for every match that it receives from a feed. */
const decodeConfig = Schema.decodeUnknownOption(Schema.Struct({ created: FeedEvent }))

export const cs2LiveGame: LiveGame<MatchState, FeedEvent> = {
  rules: cs2Rules,
  decodeEvent: decodeFeedEvent,
  encodeEvent: encodeFeedEvent,
  encoder: () => new MatchEncoder(),
  webhookEvents,
  resultOf,
  listed: ({ maps, round, seriesScore, silence, source, status, unresolvedNames }) => [
    status,
    source,
    silence?.status,
    seriesScore,
    maps.length,
    maps.at(-1)?.score,
    round?.number,
    unresolvedNames.length,
  ],
  partsWon: ({ seriesScore }) => seriesScore,
  createdAgain: ({ config }, matchId, now) => {
    const created = Option.getOrUndefined(decodeConfig(config))?.created
    return created?.type === "MatchCreated" ? { ...created, matchId, receivedAt: now } : undefined
  },
}
