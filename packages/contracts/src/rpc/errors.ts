/** What can go wrong in a call of another service. Each says what the caller can do about it. */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"

/** Where a follower of one match is: it has seen everything up to this frame. */
export const MatchCursor = Schema.Struct({ epoch: Schema.Natural, seq: Schema.Natural })
export type MatchCursor = typeof MatchCursor.Type

/** No API key, or one that is unknown, expired or revoked; a stream that was open ends with it. */
export class CallerUnknown extends Schema.TaggedError<CallerUnknown>()("CallerUnknown", { message: Schema.String }) {}

/** The call needs the feed token besides the key, and it was not sent or is wrong. */
export class FeedTokenRefused extends Schema.TaggedError<FeedTokenRefused>()("FeedTokenRefused", { message: Schema.String }) {}

/** The plan of the key does not have what the call needs; the message names the plans that do. */
export class NotEntitled extends Schema.TaggedError<NotEntitled>()("NotEntitled", {
  code: Schema.Literals(["PLAN_REQUIRED", "GAME_NOT_INCLUDED"]),
  message: Schema.String,
}) {}

/**
 * `requests_per_second`: the key calls too fast. `requests_per_month`: the account's month is used up; a stream that was open ends with
 * it. `connections`: the key has as many streams open as its plan allows.
 */
export class LimitReached extends Schema.TaggedError<LimitReached>()("LimitReached", {
  limit: Schema.Literals(["requests_per_second", "requests_per_month", "connections"]),
  message: Schema.String,
  retryAfterSeconds: Schema.Natural,
}) {}

/** The fact is none of the match's game, or none that others may tell. */
export class FactRefused extends Schema.TaggedError<FactRefused>()("FactRefused", { message: Schema.String }) {}

/** A part we need does not answer. The call may have happened all the same: repeating it does no harm. */
export class TryAgain extends Schema.TaggedError<TryAgain>()("TryAgain", { message: Schema.String }) {}

export class UnknownMatch extends Schema.TaggedError<UnknownMatch>()("UnknownMatch", { matchId: MatchId }) {
  override get message(): string {
    return `there is no match ${this.matchId} here`
  }
}

/**
 * Frames the follower still needs are not kept any more: it came with an old cursor, or read so slowly that they went. Every frame up to
 * `cursor` was delivered. Follow again from `resume` to have every frame after that; those between the two are lost to this call.
 */
export class FramesGone extends Schema.TaggedError<FramesGone>()("FramesGone", {
  matchId: MatchId,
  cursor: MatchCursor,
  resume: MatchCursor,
}) {
  override get message(): string {
    return `frames of ${this.matchId} after ${this.cursor.epoch}:${this.cursor.seq} are not kept any more; from ${this.resume.epoch}:${this.resume.seq} on there are all`
  }
}
