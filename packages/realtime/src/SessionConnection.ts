/** The dependencies of a session: a connection to send on, and a reader of the log. */
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import type { ControlMessage } from "@matchpoint/contracts/stream/messages"
import type { Channel } from "./Channel.ts"
import type { ClientSession } from "./ClientSession.ts"
import type { Frame } from "./Frame.ts"
import type { RoomSubscription } from "./RoomSubscription.ts"
import type { FrameKind } from "./sseEvents.ts"

/** The connection of a session. */
export interface SessionConnection {
  /** If false, clients of shape v1 get an update in place of a snapshot. */
  readonly knowsSnapshots: boolean
  /** Sends a frame. `isCursor`: the client may resume from this frame. */
  readonly frame: (kind: FrameKind, frame: Frame, bytes: Uint8Array, isCursor: boolean) => void
  /**
   * Sends a message. `cursor`: the client's place after the message. Returns false if the message was dropped because
   * too much is waiting.
   */
  readonly say: (message: ControlMessage, cursor?: string) => boolean
  readonly join: (channel: Channel) => void
  readonly leave: (channel: Channel) => void
  /** Returns true while the connection can take more. */
  readonly hasRoom: () => boolean
  /** Closes the connection because the client is too slow. */
  readonly endSlow: () => void
}

/** Reads older frames of a room from the log; see `Backfill`. */
export interface OlderFrames {
  readonly read: (session: ClientSession, following: RoomSubscription, cursor: Cursor) => void
  readonly stop: (session: ClientSession) => void
}
