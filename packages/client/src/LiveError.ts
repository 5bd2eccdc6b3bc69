/** Why following ended before the match did: only what trying again cannot mend. */
import { Schema } from "effect"

export const LiveErrorReason = Schema.Literals([
  /** The API key is missing, unknown, expired or revoked. */
  "Unauthorized",
  /** The key's plan does not include this; `code` says what of it. */
  "PlanRequired",
  "MatchNotFound",
  /** The plan's limit: rooms, messages, or the month's requests, which `code` RATE_LIMIT_EXCEEDED and `retryAfterMs` tell. */
  "LimitExceeded",
  /** The server refused the connection or closed it in a way that says: do not come back. */
  "Refused",
  /** Client and server do not understand each other. */
  "Protocol",
  /** As many attempts as `maxAttempts` allows have failed. */
  "Unreachable",
])

export class LiveError extends Schema.TaggedError<LiveError>()("LiveError", {
  reason: LiveErrorReason,
  message: Schema.String,
  room: Schema.String,
  /** The API's own code, where it gave one: those of REST, and of messages `error`. */
  code: Schema.optionalKey(Schema.String),
  /** When it could work again, where the server said so. */
  retryAfterMs: Schema.optionalKey(Schema.Natural),
}) {}
