/**
 * Why a stream ends before its match does: only failures that a retry cannot fix. Each entry point of the package has
 * its own error class with these fields.
 */

export const liveFailureReasons = [
  /** The API key is missing, unknown, expired or revoked. */
  "Unauthorized",
  /** The key's plan does not include the live channel. `code` specifies what is missing. */
  "PlanRequired",
  "MatchNotFound",
  /**
   * A limit of the plan was exceeded: rooms (followed channels), messages, or monthly requests. For the last, `code` is
   * `RATE_LIMIT_EXCEEDED` and `retryAfterMs` is set.
   */
  "LimitExceeded",
  /** The server refused the connection, or closed it with a code after which clients must not reconnect. */
  "Refused",
  /** Client and server disagree about the protocol. */
  "Protocol",
  /** The runtime has no WebSocket, and none was passed. */
  "NoWebSocket",
  "Unreachable",
] as const

export type LiveFailureReason = (typeof liveFailureReasons)[number]

export interface LiveFailure {
  readonly reason: LiveFailureReason
  readonly message: string
  /** Name of the followed room: `all` (all matches) or `match:<id>` (one match). */
  readonly room: string
  /** Error code of the API, if the server sent one. */
  readonly code?: string
  /** Milliseconds until a retry may succeed, if the server specified it. */
  readonly retryAfterMs?: number
}
