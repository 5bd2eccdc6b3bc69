/** Why following ended before the match did. */
import type { LiveFailure, LiveFailureReason } from "../follow/LiveFailure.ts"

export class LiveError extends Error {
  readonly _tag = "LiveError"
  override readonly name = "LiveError"
  readonly reason: LiveFailureReason
  /** `all` or `match:<id>`. */
  readonly room: string
  /** The API's own error code, if it sent one. */
  readonly code: string | undefined
  /** When another attempt could succeed, ms from now, if the server said so. */
  readonly retryAfterMs: number | undefined

  constructor({ code, message, reason, retryAfterMs, room }: LiveFailure) {
    super(message)
    this.reason = reason
    this.room = room
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}
