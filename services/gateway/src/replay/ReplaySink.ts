/**
 * Destination of a replay: a WebSocket or an SSE connection. The sink transports the bytes. The replay decides which
 * frames are sent and when.
 */
import type { ControlMessage } from "@matchpoint/contracts/stream/messages"
import type { Frame } from "@matchpoint/realtime/Frame"
import type { FrameKind } from "@matchpoint/realtime/sseEvents"
import type { Effect } from "effect"

export interface ReplaySink {
  /** False if the transport has no snapshot message. In shape v1, an update then replaces the snapshot. */
  readonly knowsSnapshots: boolean
  /** Called once before everything else, when the match has been found. */
  readonly begin: () => void
  /**
   * Returns false if too many bytes wait for the client. Called before each frame, because other rooms may share the
   * connection.
   */
  readonly isReady: () => boolean
  /** Waits until the client has received something. May return too early; the replay then waits again. */
  readonly drained: Effect.Effect<void>
  readonly frame: (kind: FrameKind, frame: Frame, bytes: Uint8Array) => void
  /** Sends a control message, never a frame. */
  readonly say: (message: ControlMessage) => void
  /** Ends the connection. `fault`: the client requested this fault. `slow`: the client has stopped reading. */
  readonly cut: (reason: "fault" | "slow") => void
  /** Called when the replay has failed and the client has received an error. */
  readonly fail: () => void
}
