/**
 * Follows what the page shows, all matches or one, with the client. Translates its notices and errors into the state of the connection.
 * It owns which room is followed; reconnecting and resuming are the client's, and documents are the store's.
 */
import { type Client, LiveError, type LiveNotice, RequestError } from "@matchpoint/client"
import { isRefusal, isUsedUp } from "../access.ts"
import type { Change, LiveListItem } from "../types.ts"

export type ConnectionState =
  | { readonly kind: "connecting" }
  | { readonly kind: "open"; readonly delaySeconds: number; readonly plan: string; readonly over: "websocket" | "sse" }
  /** `until`: when the next attempt starts, by `performance.now()`. */
  | { readonly kind: "waiting"; readonly until: number; readonly why: string }
  /** The match is over or unknown: nothing more will come. */
  | { readonly kind: "ended" }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "stopped"; readonly message: string }

export interface Listener {
  readonly onState: (state: ConnectionState) => void
  /** `isNew`: it happened now, and is not the state at the start or after a reconnect. */
  readonly onChange: (change: Change, isNew: boolean) => void
  /** `serverTime`: epoch ms. */
  readonly onMatches: (items: ReadonlyArray<LiveListItem>, serverTime: number | undefined) => void
  /** The followed match does not exist. */
  readonly onAbsent: (message: string) => void
}

export class Connection {
  readonly #client: Client
  readonly #listener: Listener
  #stop = new AbortController()
  #hasList = false
  /** Once the plan is known to have no WebSockets, none is tried. */
  #transport: "auto" | "sse" = "auto"

  constructor(client: Client, listener: Listener) {
    this.#client = client
    this.#listener = listener
  }

  /** Follows this match instead of what was followed before; undefined: all matches. */
  follow(matchId: string | undefined): void {
    this.#stop.abort()
    this.#stop = new AbortController()
    void this.#run(matchId, this.#stop.signal)
  }

  close(): void {
    this.#stop.abort()
  }

  async #run(matchId: string | undefined, stop: AbortSignal): Promise<void> {
    // After `stop`, the page shows something else.
    const report = (state: ConnectionState) => {
      if (!stop.aborted) this.#listener.onState(state)
    }
    report({ kind: "connecting" })
    try {
      if (matchId === undefined || !this.#hasList) await this.#list(stop)
      if (stop.aborted) return
      await this.#follow(matchId, stop, report)
      report({ kind: "ended" })
    } catch (error) {
      if (stop.aborted) return
      if (error instanceof LiveError && error.reason === "MatchNotFound") {
        this.#listener.onAbsent(error.message)
        report({ kind: "ended" })
      } else report(stateOf(error))
    }
  }

  /** Reads the list, which is complete at once and fails for keys that may not follow. Other failures are ignored: following retries. */
  async #list(signal: AbortSignal): Promise<void> {
    try {
      const { data, serverTime } = await this.#client.get("/cs2/live", { query: { limit: 100 }, signal })
      this.#hasList = true
      this.#listener.onMatches(data, serverTime)
    } catch (error) {
      if (isRefusal(error) || isUsedUp(error) || !(error instanceof RequestError)) throw error
    }
  }

  async #follow(matchId: string | undefined, signal: AbortSignal, report: (state: ConnectionState) => void): Promise<void> {
    let isLive = false
    let wasLost = false
    const onNotice = (notice: LiveNotice) => {
      if (notice.type === "live") isLive = true
      if (notice.type === "connected") {
        if (notice.transport === "sse") this.#transport = "sse"
        report({ kind: "open", delaySeconds: notice.delaySeconds, plan: notice.plan, over: notice.transport })
        // Matches may have ended meanwhile.
        if (wasLost && matchId === undefined) {
          this.#list(signal).catch((error: unknown) => {
            if (!signal.aborted) report(stateOf(error))
          })
        }
        wasLost = false
      }
      if (notice.type === "stale") {
        isLive = false
        wasLost = true
        report({ kind: "waiting", until: performance.now() + notice.retryInMs, why: notice.reason })
      }
    }
    const options = { shape: "v1", transport: this.#transport, endWithMatch: false, signal, onNotice } as const
    const changes = matchId === undefined ? this.#client.live.all(options) : this.#client.live.match(matchId, options)
    for await (const change of changes) {
      if (signal.aborted) return
      this.#listener.onChange(change, isLive)
    }
  }
}

const stateOf = (error: unknown): ConnectionState => {
  const message = error instanceof Error ? error.message : String(error)
  const isRefused = isRefusal(error) || (error instanceof LiveError && error.reason === "Unauthorized")
  return { kind: isRefused ? "refused" : "stopped", message }
}
