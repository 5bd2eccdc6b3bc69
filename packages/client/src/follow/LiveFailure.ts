/** Why following ended before the match did: only what another attempt cannot change. Each entry point has an error class of this content. */

export const liveFailureReasons = [
  /** The API key is missing, unknown, expired or revoked. */
  "Unauthorized",
  /** The key's plan does not include the channel; `code` names what is missing. */
  "PlanRequired",
  /** No such match, or an id of another game. */
  "MatchNotFound",
  /** A limit of the plan: rooms, messages, or the month's requests (`code` RATE_LIMIT_EXCEEDED, with `retryAfterMs`). */
  "LimitExceeded",
  /** The server refused the connection, or closed it with a code that forbids a reconnect. */
  "Refused",
  /** Client and server do not understand each other. */
  "Protocol",
  /** The runtime has no WebSocket, and none was passed. */
  "NoWebSocket",
  /** `maxAttempts` attempts to connect have failed. */
  "Unreachable",
] as const

export type LiveFailureReason = (typeof liveFailureReasons)[number]

export interface LiveFailure {
  readonly reason: LiveFailureReason
  readonly message: string
  /** `all` or `match:<id>`. */
  readonly room: string
  /** The API's own error code, if it sent one. */
  readonly code?: string
  /** When another attempt could succeed, if the server said so. */
  readonly retryAfterMs?: number
}
