/**
 * A model of a live channel for one client and a few matches: full histories, a ring with limited memory, and the contract's answers to
 * subscribe, resume and resync. Messages wait in `wire` until the test delivers, duplicates, corrupts or drops them.
 */
import { diff, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { ClientMessage, MissingRange } from "@matchpoint/contracts/stream/messages"
import { ALL, parseRoom } from "@matchpoint/contracts/stream/rooms"
import type { MatchId } from "@matchpoint/domain/ids"

export interface Made {
  readonly matchId: MatchId
  readonly epoch: number
  readonly seq: number
  readonly position: number
  readonly base: number
  readonly patch: JsonObject
  readonly document: JsonObject
  readonly events: ReadonlyArray<JsonObject>
}

interface Session {
  readonly room: string
  live: boolean
  /** The last frame sent, per match: where a conflated or slow session continues. */
  readonly sent: Map<MatchId, Made>
}

const HASH_EVERY = 3

export class ModelServer {
  readonly shape: Shape
  readonly conflated: boolean
  /** Sends snapshots as updates, as SSE does in shape v1. */
  snapshotsAsUpdates = false
  readonly history: Array<Made> = []
  wire: Array<JsonObject> = []
  /** Position up to which the ring has dropped frames. */
  droppedTo = 0
  session: Session | undefined
  #random: number

  constructor(shape: Shape, conflated: boolean, seed: number) {
    this.shape = shape
    this.conflated = conflated
    this.#random = seed >>> 0 || 1
  }

  /** Makes the next change of the match. */
  make(matchId: MatchId, options: { readonly isNew?: boolean } = {}): void {
    const before = this.newest(matchId)
    const isNew = before === undefined || options.isNew === true
    const epoch = before === undefined ? 1 : before.epoch + (isNew ? 1 : 0)
    const seq = isNew ? 1 : before.seq + 1
    const document = this.#changed(isNew ? { status: "live", players: {} } : before.document)
    const made: Made = {
      matchId,
      epoch,
      seq,
      position: (this.history.at(-1)?.position ?? 0) + 1 + (this.#roll(3) === 0 ? 2 : 0),
      base: seq - 1,
      patch: diff(isNew ? {} : before.document, document) ?? {},
      document,
      events: this.#roll(2) === 0 ? [{ eventId: `${matchId}:${epoch}:${seq}` }] : [],
    }
    this.history.push(made)
    if (this.session?.live === true && !this.conflated && this.#inRoom(made)) this.#sendFrame(made)
  }

  /** Sends a conflated session the newest frame of each match. */
  conflate(): void {
    const { session } = this
    if (session?.live !== true || !this.conflated) return
    for (const made of this.#newest()) {
      const sent = session.sent.get(made.matchId)
      if (sent === undefined || sent.epoch !== made.epoch) this.#sendSnapshot(made)
      else if (sent.seq < made.seq) {
        const patch = diff(sent.document, made.document) ?? {}
        const events = this.#after(sent).flatMap((one) => one.events)
        this.#sendFrame({ ...made, base: sent.seq, patch, events }, true)
      }
    }
  }

  /** The client reads too slowly: frames are skipped until `drain`. */
  fallBehind(): void {
    if (this.session !== undefined && !this.conflated) this.session.live = false
  }

  drain(): void {
    const { session } = this
    if (session === undefined || session.live) return
    const missing: Array<MissingRange> = []
    const changed = this.#newest().filter(({ matchId, epoch, seq }) => {
      const sent = session.sent.get(matchId)
      if (sent?.epoch === epoch && sent.seq === seq) return false
      missing.push({ matchId, epoch, from: sent?.epoch === epoch ? sent.seq + 1 : 1, to: seq })
      return true
    })
    if (missing.length > 0) this.#send({ type: "gap", reason: "slow", missing })
    for (const made of changed) this.#sendSnapshot(made)
    this.#goLive()
  }

  heartbeat(): void {
    if (this.session?.live !== true) return
    const matches = this.#newest().map(({ matchId, epoch, seq }) => ({ matchId, epoch, seq, age_ms: 5 }))
    this.#send({ type: "heartbeat", at: at(0), position: this.history.at(-1)?.position ?? 0, matches })
  }

  leave(): void {
    this.#send({ type: "reconnect", reason: "draining", after_ms: 100, resume: {} })
  }

  /** The ring drops all but the newest frames. */
  forget(keep: number): void {
    this.droppedTo = Math.max(this.droppedTo, this.history.at(-1 - keep)?.position ?? 0)
  }

  disconnect(): void {
    this.wire = []
    this.session = undefined
  }

  connect(room?: string, cursor?: Cursor): void {
    this.wire = []
    this.session = undefined
    this.#send({
      type: "ready",
      delay_seconds: 0,
      billing: { requests_at_connect: 1, requests_per_interval: 1, interval_seconds: 15, metered: false },
      heartbeat_seconds: 15,
      plan: "pro",
      shape: this.shape,
      slow: "conflate",
      limits: { rooms: 1, message_bytes: 1, waiting_bytes: 1 },
    })
    if (room !== undefined) this.#follow(room, cursor)
  }

  receive(message: ClientMessage): void {
    if (message.action === "subscribe") for (const room of message.rooms) this.#follow(room, message.resume?.[room])
    if (message.action === "resync") for (const room of message.rooms) this.#follow(room, undefined)
  }

  newest(matchId: MatchId): Made | undefined {
    return this.history.findLast((made) => made.matchId === matchId)
  }

  #follow(room: string, cursor: Cursor | undefined): void {
    this.session = { room, live: false, sent: new Map() }
    if (cursor === undefined || this.conflated) for (const made of this.#newest()) this.#sendSnapshot(made)
    else this.#resume(room, cursor)
    this.#goLive()
  }

  #resume(room: string, cursor: Cursor): unknown {
    const kept = this.history.filter((made) => made.position > this.droppedTo && this.#inRoom(made))
    const sendResumed = (verdict: string, missing: ReadonlyArray<MissingRange> = []) =>
      this.#send({ type: "resumed", room, verdict, missing })
    const reset = () => {
      sendResumed("reset")
      for (const made of this.#newest()) this.#sendSnapshot(made)
    }
    if (room === ALL) {
      const position = cursor.position ?? 0
      const isOurs = this.history.some((made) => made.position === position && made.matchId === cursor.matchId && made.seq === cursor.seq)
      if (!isOurs || position < this.droppedTo) return reset()
      sendResumed("recovered")
      for (const made of kept) if (made.position > position) this.#sendFrame(made)
      return
    }
    const [newest] = this.#newest()
    if (newest === undefined || newest.epoch !== cursor.epoch) return reset()
    const rest = kept.filter((made) => made.epoch === cursor.epoch && made.seq > cursor.seq)
    const first = rest[0]
    if (first === undefined && newest.seq > cursor.seq) return reset()
    if (first === undefined || first.seq === cursor.seq + 1) {
      sendResumed("recovered")
      for (const made of rest) this.#sendFrame(made)
      return
    }
    sendResumed("partial", [{ matchId: newest.matchId, epoch: newest.epoch, from: cursor.seq + 1, to: first.seq - 1 }])
    this.#sendSnapshot(first)
    for (const made of rest.slice(1)) this.#sendFrame(made)
  }

  #goLive(): void {
    if (this.session === undefined) return
    this.session.live = true
    for (const made of this.#newest()) this.session.sent.set(made.matchId, made)
    this.#send({ type: "caught_up", rooms: [this.session.room], position: this.history.at(-1)?.position ?? 0 })
  }

  #newest(): ReadonlyArray<Made> {
    const newest = new Map<MatchId, Made>()
    for (const made of this.history) if (this.#inRoom(made)) newest.set(made.matchId, made)
    return [...newest.values()]
  }

  #after({ epoch, matchId, seq }: Made): ReadonlyArray<Made> {
    return this.history.filter((made) => made.matchId === matchId && made.epoch === epoch && made.seq > seq)
  }

  #inRoom({ matchId }: Made): boolean {
    const room = parseRoom(this.session?.room ?? ALL)
    return room?._tag !== "Match" || room.matchId === matchId
  }

  #sendFrame(made: Made, hashed = made.seq % HASH_EVERY === 0): void {
    this.session?.sent.set(made.matchId, made)
    const hash = hashed ? { hash: stateHash(made.document) } : {}
    this.#send(
      this.shape === "v1"
        ? { type: "cs2.live.update", ...headOf(made), event: made.events[0] ?? null, data: made.document }
        : { type: "cs2.live.delta", ...headOf(made), base: made.base, events: made.events, patch: made.patch, ...hash },
    )
  }

  #sendSnapshot(made: Made): void {
    this.session?.sent.set(made.matchId, made)
    this.#send(
      this.shape === "v1"
        ? {
            type: this.snapshotsAsUpdates ? "cs2.live.update" : "cs2.live.snapshot",
            isSnapshot: true,
            ...headOf(made),
            event: made.events[0] ?? null,
            data: made.document,
          }
        : {
            type: "cs2.live.snapshot",
            isSnapshot: true,
            shape: "v2",
            ...headOf(made),
            hash: stateHash(made.document),
            data: made.document,
          },
    )
  }

  #send(message: JsonObject): void {
    this.wire.push(message)
  }

  #changed(document: JsonObject): JsonObject {
    const players: Record<string, unknown> = { ...(document["players"] as JsonObject) }
    const player = `cs2-player-${1 + this.#roll(3)}`
    if (this.#roll(5) === 0) delete players[player]
    else players[player] = { hp: this.#roll(101), ...(this.#roll(2) === 0 ? { weapon: "ak47" } : {}) }
    return { ...document, players, ...(this.#roll(4) === 0 ? { halves: [this.#roll(13), this.#roll(13)] } : {}) }
  }

  #roll(sides: number): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#random / 2 ** 32) * sides)
  }
}

const at = (seconds: number) => new Date(1_700_000_000_000 + seconds * 1_000).toISOString()

const headOf = ({ epoch, matchId, position, seq }: Made) => ({
  publishedAt: at(position),
  position,
  matchId,
  epoch,
  seq,
  observedAt: at(position),
  receivedAt: at(position),
})
