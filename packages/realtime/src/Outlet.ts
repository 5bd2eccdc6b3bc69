/** What a session needs of the world: a connection that takes what it is given, and somebody who reads the log. */
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import type { ControlMessage } from "@matchpoint/contracts/stream/messages"
import type { Channel } from "./Channel.ts"
import type { Following } from "./Following.ts"
import type { Frame } from "./Frame.ts"
import type { Session } from "./Session.ts"
import type { FrameKind } from "./sseEvents.ts"

/** What a session needs of its connection. */
export interface Outlet {
  /** False: in shape v1 an update stands for a snapshot. */
  readonly knowsSnapshots: boolean
  /** `isCursor`: the client may resume from here. */
  readonly frame: (kind: FrameKind, frame: Frame, bytes: Uint8Array, isCursor: boolean) => void
  /** `cursor`: where the client is after the message. False: the message was lost, there is too much waiting. */
  readonly say: (message: ControlMessage, cursor?: string) => boolean
  readonly join: (channel: Channel) => void
  readonly leave: (channel: Channel) => void
  /** True while more should be handed over. */
  readonly hasRoom: () => boolean
  /** Ends the connection because the client is too slow. */
  readonly endSlow: () => void
}

/** Reads frames of a room back from the log; see Backfill. */
export interface OlderFrames {
  readonly read: (session: Session, following: Following, cursor: Cursor) => void
  readonly stop: (session: Session) => void
}
