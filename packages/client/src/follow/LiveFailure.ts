/**
 * Reasons why a stream ends before its match does. Includes only failures that a retry cannot fix. Each entry point of
 * the package has its own error class with these fields.
 */

export const liveFailureReasons = [
  /** The API key is missing, unknown, expired or revoked. */
  "Unauthorized",
  /** The key's plan does not include the live channel. `code` specifies what is missing. */
  "PlanRequired",
  /** The match does not exist, or the id belongs to another game. */
  "MatchNotFound",
  /**
   * A limit of the plan was exceeded: the limit on rooms (followed channels), on messages, or on monthly requests. In
   * the last case, `code` is `RATE_LIMIT_EXCEEDED` and `retryAfterMs` is set.
   */
  "LimitExceeded",
  /** The server refused the connection, or closed it with a code after which clients must not reconnect. */
  "Refused",
  /** Client and server disagree about the protocol. */
  "Protocol",
  /** The runtime has no WebSocket, and none was passed. */
  "NoWebSocket",
  /** `maxAttempts` consecutive connection attempts have failed. */
  "Unreachable",
] as const

export type LiveFailureReason = (typeof liveFailureReasons)[number]

export interface LiveFailure {
  readonly reason: LiveFailureReason
  readonly message: string
  /** Name of the followed room: `all` (all matches) or `match:<id>` (one match). */
  readonly room: string
  /** Error code of the API. Absent if the server sent none. */
  readonly code?: string
  /** How long to wait before a retry may succeed, in milliseconds. Absent if the server did not specify it. */
  readonly retryAfterMs?: number
}
