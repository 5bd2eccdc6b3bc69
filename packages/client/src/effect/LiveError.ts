/** Why following ended before the match did. */
import { Schema } from "effect"
import { liveFailureReasons } from "../follow/LiveFailure.ts"

export class LiveError extends Schema.TaggedError<LiveError>()("LiveError", {
  reason: Schema.Literals(liveFailureReasons),
  message: Schema.String,
  room: Schema.String,
  /** The API's own error code, if it sent one. */
  code: Schema.optionalKey(Schema.String),
  /** When another attempt could succeed, if the server said so. */
  retryAfterMs: Schema.optionalKey(Schema.Natural),
}) {}
