/** The port between the protocol and the network: opens one connection and puts its signals into an inbox. It knows no protocol. */
import type { Cause, Effect, Queue, Scope } from "effect"
import type { Signal } from "../follow/Signal.ts"

/** Bounded. A transport without backpressure ends it when it is full: the follower resumes after it has read the inbox. */
export type Inbox = Queue.Queue<Signal, Cause.Done>

export interface Line {
  /** Ignored if the transport cannot send, or if the connection is gone: its end is in the inbox then. */
  readonly send: (text: string) => void
}

export interface Transport {
  readonly canSend: boolean
  /** Never fails: an error becomes a `Closed` in the inbox. Closes with the scope. */
  readonly connect: (inbox: Inbox, lastEventId: string | undefined) => Effect.Effect<Line, never, Scope.Scope>
}
