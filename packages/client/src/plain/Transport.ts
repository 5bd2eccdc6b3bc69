/** The port between the protocol and the network: opens one connection and puts its signals into an inbox. It knows no protocol. */
import type { Inbox } from "./Inbox.ts"

export interface Line {
  /** Ignored if the transport cannot send, or if the connection is gone: its end is in the inbox then. */
  readonly send: (text: string) => void
  readonly close: () => void
}

export interface Transport {
  readonly canSend: boolean
  /** Never throws: an error becomes a `Closed` in the inbox. */
  readonly connect: (inbox: Inbox, lastEventId: string | undefined) => Line
}
