/** Options of the client, and their default values. */
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { Flush, SlowPolicy } from "@matchpoint/contracts/stream/messages"
import type { DefaultGame } from "./games.ts"
import type { LiveNotice, ResumePoint } from "./LiveChange.ts"
import type { OpenWebSocket } from "./openWebSocket.ts"

export interface ConnectionOptions {
  /** Base URL of the service, e.g. `https://api.example.com`. The client appends the path of the API. */
  readonly baseUrl: string
  /**
   * Opens a WebSocket. Required if the runtime has no WebSocket of its own (Node before version 22). With the npm
   * package `ws`: `(url, headers) => new WebSocket(url, { headers })`.
   */
  readonly webSocket?: OpenWebSocket
  /** Timeout of each attempt of a REST request, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number
  /**
   * Maximum number of retries of a REST read after a network error or status 408, 429 or 5xx. A read is not retried if
   * `Retry-After` exceeds 30 s. Default 3.
   */
  readonly retries?: number
}

export interface ClientOptions extends ConnectionOptions {
  readonly apiKey: string
}

export interface LiveOptions<S extends Shape = "v2", G extends string = DefaultGame> {
  /**
   * Message format of the matches. `v2` (default): compact documents, sent as deltas, with about a tenth of the bytes
   * of `v1`. `v1`: the same documents as in the REST API.
   */
  readonly shape?: S
  /**
   * Transport of the live stream. The default `auto` uses a WebSocket, or server-sent events if the key's plan does not
   * include WebSockets.
   */
  readonly transport?: "auto" | "websocket" | "sse"
  /**
   * Minimum interval between two delivered changes of the same match, in milliseconds. Each delivered change contains
   * the newest state. In message format v2, it also contains all events since the previously delivered change.
   */
  readonly maxRateMs?: number
  /** What the server does if this client reads too slowly. Defaults to the server's own policy. */
  readonly slow?: SlowPolicy
  readonly flush?: Flush
  /** Position at which this stream resumes. It comes from an earlier stream. */
  readonly resume?: ResumePoint<S, G>
  /** Called with notices about the connection. The calls are made in order relative to the changes. Must not throw. */
  readonly onNotice?: (notice: LiveNotice) => void
  /**
   * If true, the stream of a finished match ends at the first heartbeat after the last change of the match. Default
   * true.
   */
  readonly endWithMatch?: boolean
  /** Number of consecutive failed connection attempts after which the stream fails. Default: no limit. */
  readonly maxAttempts?: number
}

export const defaults = { timeoutMs: 10_000, retries: 3, baseDelayMs: 250, maxDelayMs: 20_000, longestRetryAfterMs: 30_000 } as const
