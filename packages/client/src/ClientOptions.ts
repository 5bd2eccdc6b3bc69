/** What a client can be told, and the defaults. */

import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { Flush, SlowPolicy } from "@matchpoint/contracts/stream/messages"
import type { Redacted } from "effect"
import type { DefaultGame } from "./games.ts"
import type { LiveNotice, ResumePoint } from "./LiveChange.ts"
import type { OpenWebSocket } from "./transport/webSocket.ts"

export interface ClientOptions {
  /** Where the service is, e.g. `https://api.example.com`; the API's path is added. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted<string>
  /** For runtimes without a WebSocket, or to use another one: `(url, headers) => new WebSocket(url, { headers })` with npm `ws`. */
  readonly webSocket?: OpenWebSocket
  /** Of one REST attempt. Default 10,000. */
  readonly timeoutMs?: number
  /** How often a REST read is tried again after network errors and 408, 429, 5xx, unless the server says to wait for long. Default 3. */
  readonly retries?: number
}

export interface LiveOptions<S extends Shape = "v2", G extends string = DefaultGame> {
  /** `v2` (default): compact, sent as deltas, about a tenth of the bytes. `v1`: the documents of the REST answers. */
  readonly shape?: S
  /** Default `auto`: a WebSocket, or server-sent events if the key's plan has no WebSockets. */
  readonly transport?: "auto" | "websocket" | "sse"
  /** At most one change per match in this many milliseconds: the newest, with the events since the one before (v2). */
  readonly maxRateMs?: number
  /** What the server shall do when we read too slowly. Default: the server's. */
  readonly slow?: SlowPolicy
  readonly flush?: Flush
  /** Go on where an earlier run has ended. */
  readonly resume?: ResumePoint<S, G>
  /** Called between changes, in their order. Must not throw. */
  readonly onNotice?: (notice: LiveNotice) => void
  /** A match that is over ends its stream at the heartbeat after its last change. Default true. */
  readonly endWithMatch?: boolean
  /** How often in a row connecting may fail before the stream does. Default: no limit. */
  readonly maxAttempts?: number
}

export const defaults = { timeoutMs: 10_000, retries: 3, baseDelayMs: 250, maxDelayMs: 20_000, longestRetryAfterMs: 30_000 } as const
