import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { Flush, SlowPolicy } from "@matchpoint/contracts/stream/messages"
import type { DefaultGame } from "./games.ts"
import type { LiveNotice, ResumePoint } from "./LiveChange.ts"
import type { OpenWebSocket } from "./openWebSocket.ts"

export interface ConnectionOptions {
  /** Base URL of the service, e.g. `https://api.example.com`, without the path of the API. */
  readonly baseUrl: string
  /**
   * Required if the runtime has no WebSocket of its own (Node before version 22). With the npm package `ws`:
   * `(url, headers) => new WebSocket(url, { headers })`.
   */
  readonly webSocket?: OpenWebSocket
  /** Timeout of each attempt of a REST request, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number
  /** Retries of a REST read after network errors and status 408, 429 or 5xx. Default 3; none if `Retry-After` > 30 s. */
  readonly retries?: number
}

export interface ClientOptions extends ConnectionOptions {
  readonly apiKey: string
}

export interface LiveOptions<S extends Shape = "v2", G extends string = DefaultGame> {
  /**
   * Message format of the matches. `v2` (default): compact documents, sent as deltas, with about a tenth of the bytes
   * of `v1`. `v1`: the documents of the REST API.
   */
  readonly shape?: S
  /** `auto` (default) uses a WebSocket, or server-sent events if the key's plan does not include WebSockets. */
  readonly transport?: "auto" | "websocket" | "sse"
  /**
   * Minimum interval between two changes of the same match, in milliseconds. Each change contains the newest state and,
   * in message format v2, all events since the previous one.
   */
  readonly maxRateMs?: number
  /** Policy of the server for this client if it reads too slowly. Default: the server's own policy. */
  readonly slow?: SlowPolicy
  readonly flush?: Flush
  /** Position from an earlier stream, at which this one resumes. */
  readonly resume?: ResumePoint<S, G>
  /** Called with notices about the connection, in order relative to the changes. Must not throw. */
  readonly onNotice?: (notice: LiveNotice) => void
  /** If true (default), the stream of a finished match ends at the first heartbeat after its last change. */
  readonly endWithMatch?: boolean
  /** Consecutive failed connection attempts after which the stream fails. Default: no limit. */
  readonly maxAttempts?: number
}

export const defaults = { timeoutMs: 10_000, retries: 3, baseDelayMs: 250, maxDelayMs: 20_000, longestRetryAfterMs: 30_000 } as const
