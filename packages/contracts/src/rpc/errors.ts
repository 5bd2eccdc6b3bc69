/** Errors of the RPCs. The description of each error states what the caller can do. */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"

/** Position of a client that has received every frame up to this one. */
export const MatchCursor = Schema.Struct({ epoch: Schema.Natural, seq: Schema.Natural })
export type MatchCursor = typeof MatchCursor.Type

/** The API key is missing, unknown, expired or revoked. Its open streams also end with this error. */
export class CallerUnknown extends Schema.TaggedError<CallerUnknown>()("CallerUnknown", { message: Schema.String }) {}

/** The call needs the feed token in addition to the key, and the token is missing or wrong. */
export class FeedTokenRefused extends Schema.TaggedError<FeedTokenRefused>()("FeedTokenRefused", { message: Schema.String }) {}

/**
 * The plan of the API key does not include the requested data or feature. The message names the plans that include it.
 */
export class NotEntitled extends Schema.TaggedError<NotEntitled>()("NotEntitled", {
  code: Schema.Literals(["PLAN_REQUIRED", "GAME_NOT_INCLUDED"]),
  message: Schema.String,
}) {}

/**
 * A limit of the key or account has been reached. `limit` states which one:
 * - `requests_per_second`: the key sends more calls per second than its plan allows.
 * - `requests_per_month`: the monthly quota of the account is used up. Open streams also end with this error.
 * - `connections`: the key already has as many open streams as its plan allows.
 */
export class LimitReached extends Schema.TaggedError<LimitReached>()("LimitReached", {
  limit: Schema.Literals(["requests_per_second", "requests_per_month", "connections"]),
  message: Schema.String,
  retryAfterSeconds: Schema.Natural,
}) {}

/** The fact is invalid for the game, or has a type that other services must not send. */
export class FactRefused extends Schema.TaggedError<FactRefused>()("FactRefused", { message: Schema.String }) {}

/** A component that the server depends on does not respond. The call may have taken effect. Repeating it is safe. */
export class TryAgain extends Schema.TaggedError<TryAgain>()("TryAgain", { message: Schema.String }) {}

export class UnknownMatch extends Schema.TaggedError<UnknownMatch>()("UnknownMatch", { matchId: MatchId }) {
  override get message(): string {
    return `unknown match ${this.matchId}`
  }
}

/**
 * Frames that the caller has not received are no longer stored, because its cursor was too old or it read too slowly.
 * Every frame up to `cursor` was delivered. A new call from `resume` delivers every frame after `resume`. Those between
 * are lost.
 */
export class FramesGone extends Schema.TaggedError<FramesGone>()("FramesGone", {
  matchId: MatchId,
  cursor: MatchCursor,
  resume: MatchCursor,
}) {
  override get message(): string {
    return `frames of ${this.matchId} after ${this.cursor.epoch}:${this.cursor.seq} are no longer stored; follow the match again from ${this.resume.epoch}:${this.resume.seq}`
  }
}
