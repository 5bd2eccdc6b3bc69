/** The port between the protocol and the network: opens one connection and puts what it hears into an inbox. No protocol in here. */
import type { Cause, Effect, Queue, Scope } from "effect"
import type { Refusal } from "./refusal.ts"

export type Signal =
  | { readonly _tag: "Opened" }
  /** One message; `id`: the SSE id of the event. */
  | { readonly _tag: "Text"; readonly text: string; readonly id: string | undefined }
  /** A refusal: the handshake's. `code`: the WebSocket's. */
  | ({ readonly _tag: "Closed"; readonly reason: string; readonly code?: number | undefined } & Refusal)

/** Bounded. A transport that cannot make the server wait ends it when it is full: the follower resumes once it has read it. */
export type Inbox = Queue.Queue<Signal, Cause.Done>

export interface Line {
  /** Where the transport can send. Lost if the connection is gone; its end is in the inbox then. */
  readonly send: (text: string) => void
}

export interface Transport {
  readonly canSend: boolean
  /** Never fails: what goes wrong is a `Closed` in the inbox. Closes with the scope. */
  readonly connect: (inbox: Inbox, lastEventId: string | undefined) => Effect.Effect<Line, never, Scope.Scope>
}
