/** Opens one connection and puts its signals into an inbox. Contains no protocol logic. */
import type { Inbox } from "./Inbox.ts"

export interface Line {
  /**
   * Does nothing if the transport cannot send or the connection is closed; then a `Closed` signal is already in the
   * inbox.
   */
  readonly send: (text: string) => void
  readonly close: () => void
}

export interface Transport {
  readonly canSend: boolean
  /** Never throws: an error becomes a `Closed` signal in the inbox. */
  readonly connect: (inbox: Inbox, lastEventId: string | undefined) => Line
}
