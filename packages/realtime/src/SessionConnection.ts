/** Interfaces that a client session needs from its surroundings: a connection to send on, and a reader of the log. */
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import type { ControlMessage } from "@matchpoint/contracts/stream/messages"
import type { Channel } from "./Channel.ts"
import type { ClientSession } from "./ClientSession.ts"
import type { Frame } from "./Frame.ts"
import type { RoomSubscription } from "./RoomSubscription.ts"
import type { FrameKind } from "./sseEvents.ts"

/** The connection on which a client session sends its messages. */
export interface SessionConnection {
  /**
   * True if the transport supports snapshot messages in message format v1. If false, clients that use v1 get an update
   * message instead of a snapshot.
   */
  readonly knowsSnapshots: boolean
  /** Sends a frame. `isCursor` is true if the client may resume from this frame. */
  readonly frame: (kind: FrameKind, frame: Frame, bytes: Uint8Array, isCursor: boolean) => void
  /**
   * Sends a control message. `cursor` is the cursor from which the client may resume after this message. Returns false
   * if the message was dropped because the send buffer is full.
   */
  readonly sendControl: (message: ControlMessage, cursor?: string) => boolean
  readonly join: (channel: Channel) => void
  readonly leave: (channel: Channel) => void
  /** Returns true while the send buffer of the connection can accept more data. */
  readonly hasRoom: () => boolean
  /** Closes the connection because the client is too slow. */
  readonly endSlow: () => void
}

/** Reads frames of a room (set of matches) from the log if they are no longer in memory. Implemented by `Backfill`. */
export interface OlderFrames {
  readonly read: (session: ClientSession, following: RoomSubscription, cursor: Cursor) => void
  readonly stop: (session: ClientSession) => void
}
