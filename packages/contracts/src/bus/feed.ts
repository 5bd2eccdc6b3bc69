/**
 * Records of DIRECTORY (announced matches) and REJECTED (rejected events), and the encoder of FEED. Each game defines
 * the schema of its own FEED records.
 */
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"

const utf8 = new TextEncoder()

/** A fact of any game is already a plain JSON value, so nothing is transformed. Each game decodes its own facts. */
export const encodeEvent = (event: GameEvent): Uint8Array => utf8.encode(JSON.stringify(event))

/** Announces a match to the services that process matches. */
export const MatchAnnounced = Schema.Struct({ matchId: MatchId, announcedAt: Schema.Natural })
export type MatchAnnounced = typeof MatchAnnounced.Type

/** A rejected event with the reason, as received, truncated to 8 KB. */
export const FeedRejection = Schema.Struct({
  matchId: Schema.NullOr(Schema.String),
  factId: Schema.NullOr(Schema.String),
  type: Schema.NullOr(Schema.String),
  /** Each game defines its own codes. */
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
