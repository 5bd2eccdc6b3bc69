/** Error of a live stream that ended before its match did. */
import { Schema } from "effect"
import { liveFailureReasons } from "../follow/LiveFailure.ts"
import type { LiveError as PlainLiveError } from "../plain/LiveError.ts"

export class LiveError extends Schema.TaggedError<LiveError>()("LiveError", {
  reason: Schema.Literals(liveFailureReasons),
  message: Schema.String,
  room: Schema.String,
  /** Error code of the API, if the server sent one. */
  code: Schema.optionalKey(Schema.String),
  /** Milliseconds until a retry may succeed, if the server specified it. */
  retryAfterMs: Schema.optionalKey(Schema.Natural),
}) {}

export const liveErrorOf = ({ code, message, reason, retryAfterMs, room }: PlainLiveError): LiveError =>
  new LiveError({
    reason,
    message,
    room,
    ...(code === undefined ? {} : { code }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
