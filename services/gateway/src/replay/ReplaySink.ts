/** How a replay reaches its client. The replay decides which frames are sent and when. */
import type { Frame } from "@matchpoint/realtime/Frame"
import type { Effect } from "effect"
import type { Outlet } from "../stream/Outlet.ts"

export interface ReplaySink {
  /** Other replays and live rooms may use it too. */
  readonly outlet: Pick<Outlet, "knowsSnapshots" | "frame" | "sendControl" | "hasRoom" | "end" | "endSlow">
  /** Called once when the match has been found, before anything is sent. */
  readonly begin: () => void
  readonly frameSent: (frame: Frame) => void
  /** Waits until buffered bytes have been sent. May return too early: the replay then waits again. */
  readonly drained: () => Effect.Effect<void>
}
