/**
 * Destination of a replay: the connection of a client, as `ClientReplays` uses it. The sink sends the bytes. The replay
 * decides which frames are sent and when.
 */
import type { ControlMessage } from "@matchpoint/contracts/stream/messages"
import type { Frame } from "@matchpoint/realtime/Frame"
import type { FrameKind } from "@matchpoint/realtime/sseEvents"
import type { Effect } from "effect"

export interface ReplaySink {
  /**
   * False if the transport has no snapshot message. In message format v1, an update is then sent instead of a snapshot.
   */
  readonly knowsSnapshots: boolean
  /** Called once when the match has been found, before any other method of the sink. */
  readonly begin: () => void
  /**
   * Returns false if too many unsent bytes are buffered for the client. This is checked before each frame, because
   * other subscriptions may use the same connection.
   */
  readonly isReady: () => boolean
  /**
   * Waits until buffered bytes have been sent to the client. May return too early, in which case the replay waits
   * again.
   */
  readonly drained: Effect.Effect<void>
  readonly frame: (kind: FrameKind, frame: Frame, bytes: Uint8Array) => void
  /** Sends a control message. Frames are sent by another method. */
  readonly sendControl: (message: ControlMessage) => void
  /**
   * Ends the connection. The reason is `fault` if the client requested a disconnect as a test fault, or `slow` if the
   * client has stopped reading.
   */
  readonly cut: (reason: "fault" | "slow") => void
}
