/**
 * How a replay reaches its client. The replay decides which frames are sent and when. `ClientReplays` knows the other
 * replays of the client.
 */
import type { Frame } from "@matchpoint/realtime/Frame"
import type { Effect } from "effect"
import type { Outlet } from "../stream/Outlet.ts"

export interface ReplaySink {
  /** The client's connection. Other replays and live rooms may use it too. */
  readonly outlet: Pick<Outlet, "knowsSnapshots" | "frame" | "sendControl" | "hasRoom" | "end" | "endSlow">
  /** Called once when the match has been found, before anything is sent. */
  readonly begin: () => void
  /** Called after each frame. */
  readonly frameSent: (frame: Frame) => void
  /**
   * Waits until buffered bytes have been sent to the client. May return too early, in which case the replay waits
   * again.
   */
  readonly drained: () => Effect.Effect<void>
}
