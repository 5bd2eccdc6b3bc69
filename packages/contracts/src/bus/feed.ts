/**
 * Encodings of the records in the streams DIRECTORY and REJECTED. The records in FEED have the schema of their game.
 */
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"

const utf8 = new TextEncoder()

/**
 * Encodes a fact as JSON. In every game, a decoded fact is identical to its JSON value, so nothing is transformed. Each
 * game decodes its own facts.
 */
export const encodeEvent = (event: GameEvent): Uint8Array => utf8.encode(JSON.stringify(event))

/** Announces a match to the services that process matches. */
export const MatchAnnounced = Schema.Struct({ matchId: MatchId, announcedAt: Schema.Natural })
export type MatchAnnounced = typeof MatchAnnounced.Type

/** A rejected event: the reason, and the event as received, cut after 8 KB. */
export const FeedRejection = Schema.Struct({
  matchId: Schema.NullOr(Schema.String),
  factId: Schema.NullOr(Schema.String),
  type: Schema.NullOr(Schema.String),
  /** Rejection code, defined by the game of the match. */
  code: Schema.String.check(Schema.isPattern(/^[a-z_]{1,40}$/)),
  message: Schema.String,
  receivedAt: Schema.Natural,
  raw: Schema.String,
})
export type FeedRejection = typeof FeedRejection.Type

export const MAX_RAW_BYTES = 8_192

export const encodeRejection = (rejection: FeedRejection): Uint8Array => utf8.encode(JSON.stringify(rejection))
export const decodeRejection = Schema.decodeUnknownEffect(Schema.fromJsonString(FeedRejection))
export const encodeAnnouncement = (announcement: MatchAnnounced): Uint8Array => utf8.encode(JSON.stringify(announcement))
export const decodeAnnouncement = Schema.decodeUnknownEffect(Schema.fromJsonString(MatchAnnounced))
