/** Records of the DIRECTORY and REJECTED streams as bytes. Records of FEED are in the game's own schema. */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"

const utf8 = new TextEncoder()

/** Announces a match to the services that run matches. */
export const MatchAnnounced = Schema.Struct({ matchId: MatchId, announcedAt: Schema.Natural })
export type MatchAnnounced = typeof MatchAnnounced.Type

/** An event that was refused: why, and the event as it came (cut at 8 KB). */
export const FeedRejection = Schema.Struct({
  matchId: Schema.NullOr(Schema.String),
  factId: Schema.NullOr(Schema.String),
  type: Schema.NullOr(Schema.String),
  /** One of the codes of the match's game. */
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
