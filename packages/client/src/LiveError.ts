/** Why following ended before the match did: only what trying again cannot mend. */
import { Schema } from "effect"

export const LiveErrorReason = Schema.Literals([
  /** The API key is missing, unknown or revoked, or may not do this. */
  "Unauthorized",
  "MatchNotFound",
  /** The plan's limit: rooms, connections or quota. */
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
}) {}
