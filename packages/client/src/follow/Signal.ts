/** A report of a transport about one connection. */
import { type FullCursor, parseCursor } from "@matchpoint/contracts/stream/cursorText"
import type { FollowInput, FollowState } from "./FollowState.ts"
import { roomOf } from "./FollowState.ts"
import { readMessage } from "./IncomingMessage.ts"
import type { LiveFailure } from "./LiveFailure.ts"
import type { Refusal } from "./refusal.ts"

export type Signal =
  | { readonly _tag: "Opened" }
  /** `id` is the id of the server-sent event. */
  | { readonly _tag: "Text"; readonly text: string; readonly id: string | undefined }
  /**
   * The connection was closed or refused. `code` is the WebSocket close code. `Refusal` describes why the handshake was
   * refused.
   */
  | ({ readonly _tag: "Closed"; readonly reason: string; readonly code?: number | undefined } & Refusal)

/**
 * Messages that may wait for the reader. If there are more, the transport closes its connection, and the client resumes
 * later.
 */
export const INBOX_CAPACITY = 4_096

export const overflow: Signal = { _tag: "Closed", reason: "messages arrived faster than they were read" }
export const drained: Signal = { _tag: "Closed", reason: "the server is shutting down" }

/**
 * `random`, 0 to 1, spreads reconnects. `silent` is true if the client ended the connection because nothing was
 * received for too long.
 */
export interface Moment {
  readonly now: number
  readonly random: number
  readonly silent: boolean
}

/** Returns undefined for messages of an unknown type, and a failure for messages that violate the contract. */
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
