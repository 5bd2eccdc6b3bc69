/**
 * A client that follows a room over WebSockets and records every frame as it arrives. It reconnects and resumes by the
 * rules of docs/customers/streams.md, as the TypeScript client does, but filters nothing: its transcript shows what was sent.
 */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import type { MissingRange } from "@matchpoint/contracts/stream/messages"
import { socketPathOf } from "@matchpoint/contracts/stream/streamPaths"
import type { Random } from "@matchpoint/simulator/random"
import { TENNIS } from "@matchpoint/tennis/rules/game"
import type { TranscriptEntry } from "../../check/transcript.ts"
import type { Follower, FollowerPlan } from "./Follower.ts"
import { RawSocket } from "./RawSocket.ts"

const TYPE = /^\{"type":"([a-z0-9._]+)"/
const FRAME = /"publishedAt":"([^"]+)","position":([0-9]+),"matchId":"([^"]+)","epoch":([0-9]+),"seq":([0-9]+)/
const PATH = `${API_ROOT}${socketPathOf(TENNIS)}?shape=v2&slow=catchup`
/** Nothing arrived for two and a half heartbeats: the connection counts as dead. */
const SILENT_MS = 37_500
const [BASE_DELAY_MS, MAX_DELAY_MS] = [250, 20_000] as const

interface RoomCursor {
  readonly matchId: string
  readonly epoch: number
  readonly seq: number
  readonly position: number
}

export class RawFollower implements Follower {
  readonly entries: Array<TranscriptEntry> = []
  readonly #plan: FollowerPlan
  readonly #random: Random
  readonly #places = new Map<string, number>()
  #socket: RawSocket | undefined
  #cursor: RoomCursor | undefined
  /** False from `gap` or `resumed` until `caught_up`: frames then do not move the cursor of the room of all matches. */
  #cursorMoves = false
  #attempts = 0
  #failures = 0
  #backAt: number | undefined
  #isLive = false
  #closed = false
  #lastMessageAt = 0
  #timer: NodeJS.Timeout | undefined
  #watch: NodeJS.Timeout | undefined

  constructor(plan: FollowerPlan, random: Random) {
    this.#plan = plan
    this.#random = random
  }

  get isOpen(): boolean {
    return this.#socket !== undefined
  }

  get isLive(): boolean {
    return this.#isLive
  }

  seqOf(matchId: string): number {
    return this.#places.get(matchId) ?? 0
  }

  start(): void {
    const { gateways, index, key } = this.#plan
    const target = (index + this.#attempts) % gateways.length
    this.#attempts += 1
    let opened = false
    this.#lastMessageAt = Date.now()
    this.#socket = new RawSocket(
      { port: gateways[target] ?? 0, localAddress: this.#plan.localAddress, path: PATH, key },
      {
        onOpen: () => {
          opened = true
          this.entries.push({ kind: "open", at: Date.now(), target, resumes: this.#cursor !== undefined })
        },
        onText: (text) => this.#take(text),
        onEnd: (reason, retryAfterMs) => this.#ended(opened ? reason : `refused: ${reason}`, retryAfterMs),
      },
    )
    this.#watch ??= setInterval(() => this.#checkSilence(), 1_000)
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    clearInterval(this.#watch)
    if (this.#socket === undefined) return
    this.#socket.close()
    this.#socket = undefined
    this.entries.push({ kind: "close", at: Date.now(), reason: "done" })
  }

  #ended(reason: string, retryAfterMs: number): void {
    if (this.#closed) return
    this.#socket = undefined
    this.entries.push({ kind: "close", at: Date.now(), reason })
    this.#failures = this.#isLive ? 0 : this.#failures + 1
    this.#isLive = false
    const own = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** Math.min(this.#failures, 20)) * (0.5 + this.#random.next() / 2)
    const wait = this.#backAt === undefined ? Math.max(own, retryAfterMs) : Math.max(0, this.#backAt - Date.now())
    this.#backAt = undefined
    this.#timer = setTimeout(() => this.start(), wait)
  }

  #checkSilence(): void {
    if (this.#socket === undefined || Date.now() - this.#lastMessageAt < SILENT_MS) return
    this.#socket.close()
    this.#ended("silent", 0)
  }

  #take(text: string): void {
    this.#lastMessageAt = Date.now()
    const type = TYPE.exec(text)?.[1] ?? "unknown"
    if (type.endsWith(".live.delta")) this.#frame("frame", text)
    else if (type.endsWith(".live.snapshot")) this.#frame("snapshot", text)
    else this.#control(type, text)
  }

  #control(type: string, text: string): void {
    switch (type) {
      case "ready":
        this.#socket?.send(this.#subscribe())
        return
      case "caught_up": {
        const cursor: RoomCursor | undefined = JSON.parse(text).cursor
        this.#cursorMoves = true
        if (this.#plan.room === "all" && cursor !== undefined) this.#cursor = cursor
        this.#isLive = true
        this.entries.push({ kind: "live", at: this.#lastMessageAt })
        return
      }
      case "resumed":
      case "gap": {
        const message: { readonly verdict: string; readonly missing: ReadonlyArray<MissingRange> } = JSON.parse(text)
        this.#cursorMoves = false
        const { missing, verdict } = message
        this.entries.push(
          type === "gap"
            ? { kind: "gap", at: this.#lastMessageAt, missing }
            : { kind: "resumed", at: this.#lastMessageAt, verdict, missing },
        )
        return
      }
      case "reconnect":
        this.#leaveAfter(Number(JSON.parse(text).after_ms))
        return
      case "error":
        this.entries.push({ kind: "error", at: this.#lastMessageAt, message: text.slice(0, 300) })
    }
  }

  /** Stays until the server's time is over, then reconnects, unless the server closes the connection before. */
  #leaveAfter(afterMs: number): void {
    this.#backAt = Date.now() + afterMs
    const socket = this.#socket
    setTimeout(() => {
      if (this.#socket !== socket || socket === undefined || this.#closed) return
      socket.close()
      this.#ended("asked to reconnect", 0)
    }, afterMs)
  }

  #frame(kind: "frame" | "snapshot", text: string): void {
    const [, publishedAt = "", position, matchId, epochText, seqText] = FRAME.exec(text) ?? []
    if (matchId === undefined) {
      this.entries.push({ kind: "error", at: this.#lastMessageAt, message: `a frame without a cursor: ${text.slice(0, 200)}` })
      return
    }
    const [epoch, seq] = [Number(epochText), Number(seqText)]
    this.entries.push({ kind, at: this.#lastMessageAt, matchId, epoch, seq, publishedAt: Date.parse(publishedAt) })
    this.#places.set(matchId, Math.max(seq, this.#places.get(matchId) ?? 0))
    if (this.#plan.room === "all" ? kind === "frame" && this.#cursorMoves : seq >= (this.#cursor?.seq ?? 0)) {
      this.#cursor = { matchId, epoch, seq, position: Number(position) }
    }
  }

  #subscribe(): string {
    const { room } = this.#plan
    const name = room === "all" ? "all" : `match:${room}`
    const cursor = this.#cursor
    return JSON.stringify({
      action: "subscribe",
      rooms: [name],
      shape: "v2",
      ...(cursor === undefined ? {} : { resume: { [name]: cursor } }),
    })
  }
}
