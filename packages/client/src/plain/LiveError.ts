/** Error of a live stream that ended before its match did. */
import type { LiveFailure, LiveFailureReason } from "../follow/LiveFailure.ts"

export class LiveError extends Error {
  readonly _tag = "LiveError"
  override readonly name = "LiveError"
  readonly reason: LiveFailureReason
  /** Name of the followed room: `all` (all matches) or `match:<id>` (one match). */
  readonly room: string
  /** Error code of the API, if the server sent one. */
  readonly code: string | undefined
  /** Milliseconds until a retry may succeed, if the server specified it. */
  readonly retryAfterMs: number | undefined

  constructor({ code, message, reason, retryAfterMs, room }: LiveFailure) {
    super(message)
    this.reason = reason
    this.room = room
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}
