/**
 * The connection of one client: `SocketOutlet` is a WebSocket, `StreamOutlet` a stream of server-sent events. The rules
 * of the channels are in `LiveClient` and `LiveEndpoint`. Frames published on a channel do not pass through an outlet:
 * the server sends them to the subscribed connections itself.
 */
import type { StreamError } from "@matchpoint/contracts/stream/messages"
import type { SessionConnection } from "@matchpoint/realtime/SessionConnection"

export interface Outlet extends SessionConnection {
  /** Nothing can be sent any more. */
  readonly closed: boolean
  /** Buffered for the client. */
  readonly unsentBytes: number
  /** Sends `last` first. Server-sent events have no close codes. */
  readonly end: (closing: Closing, last?: StreamError) => void
  /**
   * Ends the connection after its replay. Undefined if replays are rooms, which the client enters and leaves by
   * messages.
   */
  readonly replayOver?: () => void
  /** Closes the connection and frees its buffered bytes immediately. */
  readonly cut: () => void
  /**
   * Log position up to which the client has everything, given the beginning of the first skipped message. Undefined if
   * that has no position.
   */
  readonly positionBefore: (skipped: Uint8Array) => number | undefined
}

/** Close code of a WebSocket, and its reason. */
export interface Closing {
  readonly code: number
  readonly reason: string
}

/**
 * Share of the limit of unsent bytes at which sending pauses. A session or a replay therefore never reaches the limit,
 * at which messages are skipped.
 */
export const PAUSE_AT_SHARE = 1 / 4
