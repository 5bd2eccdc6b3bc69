/** Signals of a transport about one connection. Both entry points pass them to the same rules. */
import { type FullCursor, parseCursor } from "@matchpoint/contracts/stream/cursorText"
import type { FollowInput, FollowState } from "./FollowState.ts"
import { roomOf } from "./FollowState.ts"
import { readMessage } from "./IncomingMessage.ts"
import type { LiveFailure } from "./LiveFailure.ts"
import type { Refusal } from "./refusal.ts"

export type Signal =
  | { readonly _tag: "Opened" }
  /** One message. `id`: the SSE id of the event. */
  | { readonly _tag: "Text"; readonly text: string; readonly id: string | undefined }
  /** The end of the connection. `code`: the WebSocket's close code. The refusal is that of the handshake. */
  | ({ readonly _tag: "Closed"; readonly reason: string; readonly code?: number | undefined } & Refusal)

/** Messages that may wait for the reader before a transport ends its connection, to be resumed later. */
export const INBOX_CAPACITY = 4_096

export const overflow: Signal = { _tag: "Closed", reason: "messages arrived faster than they were read" }
export const drained: Signal = { _tag: "Closed", reason: "the server is shutting down" }

/** `random`: 0..1. `silent`: the connection was ended because nothing arrived for too long. */
export interface Moment {
  readonly now: number
  readonly random: number
  readonly silent: boolean
}

/** The input of `step`. Undefined for messages of an unknown type; a failure for messages that the contract forbids. */
export const inputOf = (
  signal: Signal,
  state: FollowState,
  moment: Moment,
): FollowInput | { readonly failure: LiveFailure } | undefined => {
  const { now, random, silent } = moment
  switch (signal._tag) {
    case "Opened":
      return signal
    case "Closed":
      return silent ? { _tag: "Silent", now, random } : { ...signal, now, random }
    case "Text": {
      const message = readMessage(signal.text)
      if (message === undefined) return undefined
      if (message.type === "malformed") {
        return { failure: { reason: "Protocol", message: message.why, room: roomOf(state.settings) } }
      }
      const cursor: FullCursor | undefined = signal.id === undefined ? undefined : parseCursor(signal.id)
      return { _tag: "Received", message, cursor, now }
    }
  }
}
