/** Connections, time and random numbers for a follower. Each entry point of the package brings its own. */
import type { OpenWebSocket } from "../openWebSocket.ts"
import type { Http } from "./Http.ts"
import type { Timing } from "./Timing.ts"

export interface Runtime {
  readonly http: Http
  readonly timing: Timing
  /** Undefined if the runtime's own WebSocket is used. */
  readonly webSocket: OpenWebSocket | undefined
}
