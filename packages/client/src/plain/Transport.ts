/**
 * Interface between the protocol and the network. A transport opens one connection and puts its signals (opened,
 * message, closed) into an inbox. It contains no protocol logic.
 */
import type { Inbox } from "./Inbox.ts"

export interface Line {
  /**
   * Sends a message to the server. Does nothing if the transport cannot send or the connection is closed. If it is
   * closed, a `Closed` signal is already in the inbox.
   */
  readonly send: (text: string) => void
  readonly close: () => void
}

export interface Transport {
  readonly canSend: boolean
  /** Opens a connection. Never throws: an error becomes a `Closed` signal in the inbox. */
  readonly connect: (inbox: Inbox, lastEventId: string | undefined) => Line
}
