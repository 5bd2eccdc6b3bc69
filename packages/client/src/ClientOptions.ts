/** Options of a client, and the defaults. */

import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { Flush, SlowPolicy } from "@matchpoint/contracts/stream/messages"
import type { DefaultGame } from "./games.ts"
import type { LiveNotice, ResumePoint } from "./LiveChange.ts"
import type { OpenWebSocket } from "./openWebSocket.ts"

export interface ConnectionOptions {
  /** Address of the service, e.g. `https://api.example.com`. The path of the API is appended. */
  readonly baseUrl: string
  /** Opens a WebSocket. Required where the runtime has none (Node below 22): `(url, headers) => new WebSocket(url, { headers })` with npm `ws`. */
  readonly webSocket?: OpenWebSocket
  /** Time limit of one REST attempt, ms. Default 10,000. */
  readonly timeoutMs?: number
  /** Retries of a REST read after network errors, 408, 429 and 5xx, unless `Retry-After` exceeds 30 s. Default 3. */
  readonly retries?: number
}

export interface ClientOptions extends ConnectionOptions {
  readonly apiKey: string
}

export interface LiveOptions<S extends Shape = "v2", G extends string = DefaultGame> {
  /** `v2` (default): compact documents, sent as deltas, about a tenth of the bytes. `v1`: the documents of the REST API. */
  readonly shape?: S
  /** Default `auto`: a WebSocket, or server-sent events if the key's plan does not include WebSockets. */
  readonly transport?: "auto" | "websocket" | "sse"
  /** At most one change per match in this many milliseconds: the newest, with all events since the previous one (v2). */
  readonly maxRateMs?: number
  /** Policy of the server for a slow reader. Default: the server's. */
  readonly slow?: SlowPolicy
  readonly flush?: Flush
  /** Resumes where an earlier run ended. */
  readonly resume?: ResumePoint<S, G>
  /** Called between changes, in order. Must not throw. */
  readonly onNotice?: (notice: LiveNotice) => void
  /** Ends the stream of a finished match at the heartbeat after its last change. Default true. */
  readonly endWithMatch?: boolean
  /** Consecutive failed connection attempts before following fails. Default: no limit. */
  readonly maxAttempts?: number
}

export const defaults = { timeoutMs: 10_000, retries: 3, baseDelayMs: 250, maxDelayMs: 20_000, longestRetryAfterMs: 30_000 } as const
