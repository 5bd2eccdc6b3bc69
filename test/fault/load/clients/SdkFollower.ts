/** A client that follows a match with the TypeScript client, and records what the client delivers to its user. */
import { createClient } from "@matchpoint/client"
import type { LiveChange } from "@matchpoint/client/effect"
import { TENNIS } from "@matchpoint/tennis/rules/game"
import { WebSocket } from "ws"
import type { TranscriptEntry } from "../../check/transcript.ts"
import type { Follower, FollowerPlan } from "./Follower.ts"

export class SdkFollower implements Follower {
  readonly entries: Array<TranscriptEntry> = []
  readonly #plan: FollowerPlan
  readonly #stop = new AbortController()
  #seq = 0
  #attempts = 0
  #isOpen = false
  #isLive = false

  constructor(plan: FollowerPlan) {
    this.#plan = plan
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  get isLive(): boolean {
    return this.#isLive
  }

  seqOf(): number {
    return this.#seq
  }

  start(): void {
    void this.#follow().catch((error: unknown) => {
      if (!this.#stop.signal.aborted) this.entries.push({ kind: "error", at: Date.now(), message: `the client failed: ${String(error)}` })
    })
  }

  close(): void {
    this.#stop.abort()
    if (this.#isOpen) this.entries.push({ kind: "close", at: Date.now(), reason: "done" })
    this.#isOpen = false
    this.#isLive = false
  }

  async #follow(): Promise<void> {
    const { gateways, index, key, room, transport } = this.#plan
    const client = createClient({
      baseUrl: `http://127.0.0.1:${gateways[index % gateways.length]}`,
      apiKey: key,
      // Each attempt uses the next gateway, as behind a load balancer.
      webSocket: (url, headers) => {
        const address = new URL(url)
        address.port = String(gateways[(index + this.#attempts++) % gateways.length])
        return new WebSocket(address, { headers })
      },
    })
    const changes = client.game(TENNIS).match(room, {
      transport,
      slow: "catchup",
      endWithMatch: false,
      signal: this.#stop.signal,
      onNotice: (notice) => {
        const at = Date.now()
        switch (notice.type) {
          case "connected":
            this.entries.push({ kind: "open", at, target: index % gateways.length, resumes: this.#seq > 0 })
            this.#isOpen = true
            return
          case "live":
            this.#isLive = true
            this.entries.push({ kind: "live", at })
            return
          case "resumed":
            this.entries.push({ kind: "resumed", at, verdict: notice.verdict, missing: notice.missing })
            return
          case "healing":
            this.entries.push({ kind: "error", at, message: `the document did not match and was requested again (${notice.reason})` })
            return
          case "stale":
            if (this.#isOpen) this.entries.push({ kind: "close", at, reason: notice.reason })
            this.#isOpen = false
            this.#isLive = false
        }
      },
    })
    for await (const change of changes) this.#record(change)
  }

  #record({
    base,
    epoch,
    matchId,
    missing,
    publishedAt,
    seq,
  }: Pick<LiveChange, "base" | "epoch" | "matchId" | "missing" | "publishedAt" | "seq">): void {
    const at = Date.now()
    const place = { at, matchId, epoch, publishedAt: Date.parse(publishedAt) }
    this.#seq = seq
    if (base === undefined) {
      this.entries.push({ kind: "snapshot", seq, ...place })
      return
    }
    if (missing.length > 0) this.entries.push({ kind: "gap", at, missing: missing.map((range) => ({ matchId, epoch, ...range })) })
    // A change of the client may cover several frames.
    for (let covered = base + 1; covered <= seq; covered++) {
      if (!missing.some(({ from, to }) => from <= covered && covered <= to)) this.entries.push({ kind: "frame", seq: covered, ...place })
    }
  }
}
