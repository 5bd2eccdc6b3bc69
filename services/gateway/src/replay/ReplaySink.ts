/** Where a replay goes. The same replay serves WebSockets and SSE; how bytes travel is theirs, when and which is the replay's. */
import type { ControlMessage } from "@matchpoint/contracts/stream/messages"
import type { Frame } from "@matchpoint/realtime/Frame"
import type { FrameKind } from "@matchpoint/realtime/sseEvents"
import type { Effect } from "effect"

export interface ReplaySink {
  /** False: in shape v1 an update stands for a snapshot. */
  readonly knowsSnapshots: boolean
  /** The match is there; called once, before everything else. */
  readonly begin: () => void
  /** False: too much waits for the client already. Asked before each frame: other rooms may share the connection. */
  readonly isReady: () => boolean
  /** Waits until something has left. May end too early, and is run again. */
  readonly drained: Effect.Effect<void>
  readonly frame: (kind: FrameKind, frame: Frame, bytes: Uint8Array) => void
  /** Never a frame. */
  readonly say: (message: ControlMessage) => void
  /** Ends the connection. `fault`: the client asked for it. `slow`: it takes nothing any more. */
  readonly cut: (reason: "fault" | "slow") => void
  /** The replay cannot go on; the client has been told. */
  readonly fail: () => void
}
