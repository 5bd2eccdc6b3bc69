/**
 * The connection of one client of a live channel. `SocketOutlet` is a WebSocket, `StreamOutlet` a stream of server-sent
 * events. The rules of the channels are in `LiveClient` and `LiveEndpoint`. Frames that are published on a channel do
 * not pass through an outlet: the server sends them to the subscribed connections itself.
 */
import type { StreamError } from "@matchpoint/contracts/stream/messages"
import type { SessionConnection } from "@matchpoint/realtime/SessionConnection"

export interface Outlet extends SessionConnection {
  /** True if nothing can be sent any more. */
  readonly closed: boolean
  /** Number of unsent bytes that are buffered for the client. */
  readonly unsentBytes: number
  /** Sends `last`, if given, and ends the connection. Server-sent events have no close codes. */
  readonly end: (closing: Closing, last?: StreamError) => void
  /**
   * Ends the connection, because its replay is over. Undefined if replays are rooms, which the client enters and leaves by
   * messages.
   */
  readonly replayOver?: () => void
  /** Closes the connection and frees its buffered bytes immediately. */
  readonly cut: () => void
  /**
   * Returns the log position up to which the client has everything, given the beginning of the first message that was
   * skipped. Returns undefined if that message contains no position.
   */
  readonly positionBefore: (skipped: Uint8Array) => number | undefined
}

/** Close code of a WebSocket, and its reason. */
export interface Closing {
  readonly code: number
  readonly reason: string
}

/**
 * Sending pauses when this share of the limit of unsent bytes is used. The limit, where messages are skipped, is
 * therefore never reached by what a session or a replay sends.
 */
export const PAUSE_AT_SHARE = 1 / 4
