/** Ports of a client session: a connection to send on, and a reader of the log. */
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import type { ControlMessage } from "@matchpoint/contracts/stream/messages"
import type { Channel } from "./Channel.ts"
import type { ClientSession } from "./ClientSession.ts"
import type { Frame } from "./Frame.ts"
import type { RoomSubscription } from "./RoomSubscription.ts"
import type { FrameKind } from "./sseEvents.ts"

export interface SessionConnection {
  /** Whether the transport has snapshot messages in message format v1. Clients of others get an update instead. */
  readonly knowsSnapshots: boolean
  /** `isCursor`: the client may resume from this frame. */
  readonly frame: (kind: FrameKind, frame: Frame, bytes: Uint8Array, isCursor: boolean) => void
  /**
   * The client may resume from `cursor` after this message. Returns false if the message was dropped because the send
   * buffer is full.
   */
  readonly sendControl: (message: ControlMessage, cursor?: string) => boolean
  readonly join: (channel: Channel) => void
  readonly leave: (channel: Channel) => void
  /** False while the send buffer is full. */
  readonly hasRoom: () => boolean
  readonly endSlow: () => void
}

/** For frames that are no longer in memory. Implemented by `Backfill`. */
export interface OlderFrames {
  readonly read: (session: ClientSession, following: RoomSubscription, cursor: Cursor) => void
  readonly stop: (session: ClientSession) => void
}
