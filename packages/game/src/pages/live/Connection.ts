/**
 * Supplies the live page with updates: follows all matches of all games or a single one through the API client, and
 * converts the client's notices and errors into the state of the connection. The client reconnects and resumes;
 * documents are kept in `LiveStore`.
 */
import { type Client, type LiveChange, LiveError, type LiveNotice, type Reads, RequestError } from "@matchpoint/client"
import { isRefusal, isUsedUp } from "../parts/access.ts"

/** The document and the events are JSON values whose types only the game knows. */
export type AnyChange = LiveChange<"v1", string>
export type AnyListItem = Reads["/live"]["body"]["data"][number]

export type ConnectionState =
  | { readonly kind: "connecting" }
  | { readonly kind: "open"; readonly delaySeconds: number; readonly plan: string; readonly over: "websocket" | "sse" }
  /** The connection was lost. `until` is the time of the next attempt, by `performance.now()`. */
  | { readonly kind: "waiting"; readonly until: number; readonly why: string }
  /** No further updates arrive, because the match is over or unknown. */
  | { readonly kind: "ended" }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "stopped"; readonly message: string }

export interface Listener {
  readonly onState: (state: ConnectionState) => void
  /** `isNew` is false if the change is part of the initial state or was missed during a disconnection. */
  readonly onChange: (change: AnyChange, isNew: boolean) => void
  /** `serverTime` is the time of the response in epoch milliseconds, if known. */
  readonly onMatches: (items: ReadonlyArray<AnyListItem>, serverTime: number | undefined) => void
  readonly onAbsent: (message: string) => void
}

export class Connection {
  readonly #client: Client
  readonly #listener: Listener
  #stop = new AbortController()
  #hasList = false
  /** `sse` once it is known that the key's plan does not include WebSockets. */
  #transport: "auto" | "sse" = "auto"

  constructor(client: Client, listener: Listener) {
    this.#client = client
    this.#listener = listener
  }

  /** Stops following what was followed before. Undefined follows all matches. */
  follow(matchId: string | undefined): void {
    this.#stop.abort()
    this.#stop = new AbortController()
    void this.#run(matchId, this.#stop.signal)
  }

  close(): void {
    this.#stop.abort()
  }

  async #run(matchId: string | undefined, stop: AbortSignal): Promise<void> {
    // After `stop` is aborted, the page shows something else and must not get the states of this connection.
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

  /**
   * Reads the complete list of live matches. Fails if the API rejects the key, if the key's plan does not include live
   * matches or if the monthly quota is used up. Other errors are ignored, because the stream of updates that is opened
   * next retries by itself.
   */
  async #list(signal: AbortSignal): Promise<void> {
    try {
      const { data, serverTime } = await this.#client.get("/live", { query: { limit: 100 }, signal })
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
        // Matches may have ended while the connection was lost.
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
    const { everyGame } = this.#client
    const changes = matchId === undefined ? everyGame.all(options) : everyGame.match(matchId, options)
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
