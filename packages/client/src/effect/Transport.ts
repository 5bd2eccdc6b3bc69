/**
 * Interface between the protocol and the network. A transport opens one connection and puts its signals (opened,
 * message, closed) into an inbox. It contains no protocol logic.
 */
import type { Cause, Effect, Queue, Scope } from "effect"
import type { Signal } from "../follow/Signal.ts"

/**
 * Bounded queue of connection events (opened, message, closed). If the queue is full, a transport that cannot apply
 * backpressure closes its connection. The client then processes the queued events, reconnects and resumes.
 */
export type Inbox = Queue.Queue<Signal, Cause.Done>

export interface Line {
  /**
   * Sends a message to the server. Does nothing if the transport cannot send or the connection is closed. If it is
   * closed, a `Closed` signal is already in the inbox.
   */
  readonly send: (text: string) => void
}

export interface Transport {
  readonly canSend: boolean
  /**
   * Opens a connection. Never fails: an error becomes a `Closed` signal in the inbox. The connection closes with the
   * scope.
   */
  readonly connect: (inbox: Inbox, lastEventId: string | undefined) => Effect.Effect<Line, never, Scope.Scope>
}
