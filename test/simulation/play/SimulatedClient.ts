/**
 * A correct client with a life of its own, all of it decided by its seed: it connects, follows, falls asleep, loses its connection with
 * or without noticing, comes back with its cursors, changes its mind. What it hears goes to its {@link Transcript}.
 */
import { SOCKET_PATH, STREAM_PATH } from "@matchpoint/contracts/http/cs2/streamPaths"
import { API_ROOT } from "@matchpoint/contracts/http/MatchpointApi"
import { shouldReconnect } from "@matchpoint/contracts/stream/closeCodes"
import { type Cursor, parseCursor } from "@matchpoint/contracts/stream/cursors"
import { ALL, parseRoom } from "@matchpoint/contracts/stream/rooms"
import type { MatchId } from "@matchpoint/domain/ids"
import { type Plan, planTerms } from "@matchpoint/domain/plans"
import type { Random } from "@matchpoint/simulator/random"
import type { Findings } from "../audit/Findings.ts"
import { type Hearing, nameOf, type Received, type ServerNotice } from "../audit/Hearing.ts"
import type { History, Version } from "../audit/History.ts"
import { Transcript } from "../audit/Transcript.ts"
import type { VirtualLoop } from "../machine/VirtualLoop.ts"
import type { Listener, ServerEnd } from "../network/connections.ts"
import type { LinkSpeed } from "../network/Wire.ts"
import { secretOfPlan } from "../storage/MemoryStore.ts"
import type { GatewayNode } from "./nodes.ts"

export interface ClientPlan {
  readonly name: string
  readonly transport: "socket" | "stream"
  readonly plan: Plan
  readonly shape: "v1" | "v2"
  /** `all`, or rooms of matches; a stream has one. */
  readonly rooms: ReadonlyArray<string>
  readonly maxRateMs: number | undefined
  readonly flush: "adaptive" | "immediate" | undefined
  readonly slow: "conflate" | "catchup" | "close"
  readonly speed: LinkSpeed
  /** Mean time between two whims, ms. */
  readonly whimsEveryMs: number
}

export interface Surroundings {
  readonly loop: VirtualLoop
  readonly random: Random
  readonly history: History
  readonly hearing: Hearing
  readonly findings: Findings
  readonly gateways: () => ReadonlyArray<GatewayNode>
  /** No more whims: clients only come back where they were. */
  readonly isQuiet: () => boolean
  /** Hears of everything that clients do and hear; for looking into a seed. */
  readonly trace: ((who: string, what: string) => void) | undefined
}

const SILENCE_MS = 45_000
const CONNECT_WITHIN_MS = 12_000
const LOOK_EVERY_MS = 5_000

export class SimulatedClient {
  readonly plan: ClientPlan
  readonly transcript: Transcript
  readonly #around: Surroundings
  /** Counts connections, so that what comes from an earlier one is not heard. */
  #generation = 0
  #server: ServerEnd | undefined
  #connecting = false
  #gateway: GatewayNode | undefined
  #receivedAt = 0
  /** As `ready` says. */
  #waitingBytes: number | undefined
  #speed: LinkSpeed
  /** Asleep or slow until then: its heartbeats may be late. */
  #slowUntil = 0
  #lastEventId: string | undefined
  /** Rooms asked for and not yet answered, with the cursor. */
  readonly #asked = new Map<string, Cursor | undefined>()
  /** Asked for and not known yet: to be asked for again. */
  readonly #unknown = new Set<string>()
  #nonsense = 0
  /** What it wants to follow is no longer there. */
  isGoneMatch = false
  readonly counts = { connects: 0, resumes: 0, recovered: 0, partial: 0, reset: 0, errors: 0, slowCloses: 0 }

  constructor(plan: ClientPlan, around: Surroundings) {
    this.plan = plan
    this.#around = around
    this.#speed = plan.speed
    this.transcript = new Transcript({
      name: `${plan.name} ${plan.transport} ${plan.shape} ${plan.plan} ${plan.rooms.join()} ${plan.slow}${plan.maxRateMs === undefined ? "" : ` ${plan.maxRateMs}ms`}`,
      history: around.history,
      findings: around.findings,
      now: () => around.loop.now,
      delayMs: planTerms[plan.plan].delaySeconds * 1_000,
      updatesAreSnapshots: plan.transport === "stream" && plan.shape === "v1",
    })
    this.#later(around.random.int(0, 120_000), () => this.#connect())
    this.#watch()
    this.#haveWhims()
  }

  get isConnected(): boolean {
    return this.#server !== undefined
  }

  get isConflated(): boolean {
    return this.plan.maxRateMs !== undefined
  }

  /** Stops being slow, for the end. */
  wakeUp(): void {
    this.#slowUntil = this.#around.loop.now
    this.#changeSpeed({ ...this.plan.speed, bytesPerMs: Number.POSITIVE_INFINITY })
  }

  #later(ms: number, run: () => void): void {
    this.#around.loop.arrive(ms, run)
  }

  #connect(): void {
    const { gateways, loop, random } = this.#around
    if (this.#server !== undefined || this.#connecting) return
    const up = gateways().filter((gateway) => gateway.isUp && gateway.server.isListening)
    const gateway = up[random.int(0, Math.max(0, up.length - 1))]
    if (gateway === undefined) {
      this.#later(1_000, () => this.#connect())
      return
    }
    this.#connecting = true
    this.#gateway = gateway
    this.#generation += 1
    const generation = this.#generation
    const isMine = () => generation === this.#generation
    const again = (ms: number) => this.#later(ms, () => this.#connect())
    const gone = (): void => {
      if (!isMine()) return
      this.#around.trace?.(this.plan.name, "is cut off")
      this.#generation += 1
      this.#connecting = false
      this.#server = undefined
      again(random.int(0, 3_000))
    }
    this.#later(CONNECT_WITHIN_MS, () => {
      if (isMine() && this.#connecting) gone()
    })
    const listener: Listener = {
      isAlive: () => isMine() && this.#speed.bytesPerMs > 0,
      rejected: (status) => {
        if (!isMine()) return
        this.#connecting = false
        this.isGoneMatch = status === 404
        if (![404, 429, 503].includes(status)) this.#around.findings.add(this.plan.name, `rejected with ${status}`)
        again(random.int(1_000, 5_000))
      },
      opened: (server) => {
        if (!isMine()) {
          server.peerLeft()
          return
        }
        this.#around.trace?.(this.plan.name, `connected${this.#lastEventId === undefined ? "" : ` with ${this.#lastEventId}`}`)
        this.#connecting = false
        this.#server = server
        // It may have fallen asleep, or awoken, since it knocked.
        if (this.#speed !== request.speed) server.change(this.#speed)
        this.#receivedAt = loop.now
        this.isGoneMatch = false
        this.counts.connects += 1
        if (this.plan.transport === "socket") this.#subscribe(this.plan.rooms, random.chance(0.85))
      },
      lost: gone,
    }
    const query = new URLSearchParams({
      apiKey: secretOfPlan(this.plan.plan, Number(this.plan.name.slice(1)) + 1),
      shape: this.plan.shape,
      slow: this.plan.slow,
    })
    if (this.plan.maxRateMs !== undefined) query.set("maxRateMs", String(this.plan.maxRateMs))
    if (this.plan.flush !== undefined) query.set("flush", this.plan.flush)
    const request = { headers: {}, address: [10, 0, 0, 1], speed: this.#speed } as const
    this.transcript.reconnected()
    this.#asked.clear()
    this.#unknown.clear()
    if (this.plan.transport === "socket") {
      gateway.server.connectSocket(
        { ...request, path: API_ROOT + SOCKET_PATH, query: query.toString() },
        {
          ...listener,
          message: (bytes, sentAt) => {
            if (isMine()) this.#receive(bytes, sentAt)
          },
          closed: (code) => {
            if (!isMine()) return
            if (code === 3008) this.counts.slowCloses += 1
            if (!shouldReconnect(code) && this.#nonsense === 0) this.#around.findings.add(this.plan.name, `closed with ${code}`)
            this.#nonsense = 0
            gone()
          },
        },
      )
      return
    }
    const [room] = this.plan.rooms
    const parsed = room === undefined ? undefined : parseRoom(room)
    const matchId = parsed?._tag === "Match" ? parsed.matchId : undefined
    if (matchId !== undefined) query.set("matchId", matchId)
    const resumes = this.#lastEventId !== undefined && random.chance(0.9)
    if (!resumes) this.#lastEventId = undefined
    this.transcript.entering(
      room ?? ALL,
      matchId,
      this.isConflated,
      this.#lastEventId === undefined ? undefined : parseCursor(this.#lastEventId),
    )
    const headers = resumes && this.#lastEventId !== undefined ? { "last-event-id": this.#lastEventId } : undefined
    gateway.server.connectStream(
      { ...request, headers: headers ?? {}, path: API_ROOT + STREAM_PATH, query: query.toString() },
      {
        ...listener,
        chunk: (bytes, sentAt) => {
          if (isMine()) this.#receiveChunk(bytes, sentAt)
        },
        ended: gone,
      },
    )
  }

  #receive(bytes: Uint8Array, sentAt: number): void {
    this.#receivedAt = this.#around.loop.now
    const received = this.#around.hearing.message(bytes)
    this.#around.trace?.(this.plan.name, textOfReceived(received))
    if (received._tag === "Said") this.#react(received.message)
    this.transcript.receive(received, sentAt)
  }

  #receiveChunk(chunk: Uint8Array, sentAt: number): void {
    this.#receivedAt = this.#around.loop.now
    for (const { received, id } of this.#around.hearing.events(chunk)) {
      if (received === undefined) continue
      this.#around.trace?.(this.plan.name, `${textOfReceived(received)}${id === undefined ? "" : ` id ${id}`}`)
      this.transcript.receive(received, sentAt)
      if (id !== undefined) {
        this.#lastEventId = id
        if (parseCursor(id) === undefined) this.#around.findings.add(this.plan.name, `an id that is no cursor: ${id}`)
      }
      if (received._tag === "Said") this.#react(received.message)
    }
  }

  #react(message: ServerNotice): void {
    if (message.type === "ready") this.#waitingBytes = message.limits.waiting_bytes
    if (message.type === "subscribed") for (const room of message.rooms) this.#entered(room)
    if (message.type === "resumed") this.counts[message.verdict] += 1
    if (message.type === "reconnect") {
      const generation = this.#generation
      this.#later(message.after_ms, () => {
        if (generation === this.#generation && this.#server !== undefined) this.#leave("clean")
      })
    }
    if (message.type !== "error") return
    this.counts.errors += 1
    if (message.code === "MATCH_NOT_FOUND" && message.room !== undefined) {
      this.#unknown.add(message.room)
    } else if (message.code === "MALFORMED_MESSAGE" || message.code === "SHUTTING_DOWN") return
    else this.#around.findings.add(this.plan.name, `error ${message.code}: ${message.message}`)
  }

  #subscribe(rooms: ReadonlyArray<string>, withCursors: boolean): void {
    const resume: Record<string, unknown> = {}
    for (const room of rooms) {
      const parsed = parseRoom(room)
      const matchId = parsed?._tag === "Match" ? parsed.matchId : undefined
      const cursor = withCursors ? this.#cursorOf(matchId) : undefined
      this.#asked.set(room, cursor)
      if (cursor !== undefined) resume[room] = cursor
    }
    if (Object.keys(resume).length > 0) this.counts.resumes += 1
    this.#send({ action: "subscribe", rooms, ...(Object.keys(resume).length > 0 ? { resume } : {}) })
  }

  /** Not before the server says so: until then comes what was on its way. */
  #entered(room: string): void {
    const parsed = parseRoom(room)
    this.transcript.entering(room, parsed?._tag === "Match" ? parsed.matchId : undefined, this.isConflated, this.#asked.get(room))
    this.#asked.delete(room)
  }

  #cursorOf(matchId: MatchId | undefined): Cursor | undefined {
    const version: Version | undefined = matchId === undefined ? this.transcript.allCursor : this.transcript.place(matchId)
    const position = version?.records[0]?.position
    if (version === undefined || position === undefined) return undefined
    const { epoch, seq } = version
    if (matchId === undefined) return { matchId: version.matchId, epoch, seq, position }
    return this.#around.random.chance(0.5) ? { epoch, seq } : { epoch, seq, position }
  }

  #send(message: object): void {
    const server = this.#server
    const text = JSON.stringify(message)
    this.#around.trace?.(this.plan.name, `says ${text}`)
    if (server !== undefined) this.#later(this.#speed.latencyMs, () => server.receive(text))
  }

  /** `half`: the server does not hear of it; the client believes it is cut off. `broken`: it does, later. */
  #leave(how: "clean" | "broken" | "half"): void {
    this.#around.trace?.(this.plan.name, `leaves (${how})`)
    const { random } = this.#around
    const server = this.#server
    this.#server = undefined
    this.#connecting = false
    this.#generation += 1
    if (server !== undefined) {
      if (how === "half") server.change({ ...this.#speed, bytesPerMs: 0 })
      else
        this.#later(how === "clean" ? this.#speed.latencyMs : random.int(0, 10_000), () => server.peerLeft(how === "clean" ? 1000 : 1006))
    }
    const away = random.chance(0.7) ? random.int(0, 3_000) : random.int(3_000, random.chance(0.8) ? 240_000 : 1_500_000)
    this.#later(this.#around.isQuiet() ? 100 : away, () => this.#connect())
  }

  #changeSpeed(speed: LinkSpeed): void {
    this.#around.trace?.(this.plan.name, `reads ${speed.bytesPerMs} bytes per ms`)
    this.#speed = speed
    this.#server?.change(speed)
  }

  /** The server promised how much it holds for a client, and one message may go beyond. */
  #checkBuffer(): void {
    const server = this.#server
    if (server === undefined || this.#waitingBytes === undefined || server.mostWaiting <= this.#waitingBytes + server.largest) return
    this.#around.findings.add(this.plan.name, `${server.mostWaiting} bytes waited in the server, the limit is ${this.#waitingBytes}`)
  }

  /** A connection that says nothing for three heartbeats is dead, whatever the socket says. */
  #watch(): void {
    const { isQuiet, loop, random } = this.#around
    this.#later(LOOK_EVERY_MS + random.int(0, 500), () => {
      const isQuick = this.#speed.bytesPerMs === Number.POSITIVE_INFINITY && loop.now > this.#slowUntil + 30_000
      if (this.#server !== undefined && loop.now - this.#receivedAt > SILENCE_MS) this.#leave("half")
      else if (this.#server !== undefined && isQuick && this.#gateway?.isUp === true) this.transcript.checkHeartbeat()
      if (this.#unknown.size > 0 && this.#server !== undefined && this.plan.transport === "socket") {
        const rooms = [...this.#unknown]
        this.#unknown.clear()
        this.#subscribe(rooms, false)
      }
      this.#checkBuffer()
      if (isQuiet()) this.#connect()
      if (isQuiet() && this.#speed.bytesPerMs !== Number.POSITIVE_INFINITY) this.wakeUp()
      this.#watch()
    })
  }

  #haveWhims(): void {
    const { isQuiet, random } = this.#around
    this.#later(random.wait(this.plan.whimsEveryMs), () => {
      if (isQuiet()) return
      this.#whim()
      this.#haveWhims()
    })
  }

  #whim(): void {
    const { loop, random } = this.#around
    if (this.#server === undefined) return
    const dice = random.next()
    if (dice < 0.35) {
      this.#leave(random.pick(["clean", "broken", "half"]))
      return
    }
    if (dice < 0.6) {
      const ms = random.int(1_000, random.chance(0.5) ? 20_000 : 180_000)
      this.#slowUntil = loop.now + ms
      this.#changeSpeed({ ...this.plan.speed, bytesPerMs: random.chance(0.3) ? 0 : random.between(0.05, random.chance(0.5) ? 2 : 20) })
      this.#later(ms, () => this.#changeSpeed(this.plan.speed))
      return
    }
    if (this.plan.transport === "stream") return
    const followed = [...this.transcript.rooms.values()]
    const one = followed[random.int(0, Math.max(0, followed.length - 1))]
    if (one === undefined) return
    if (dice < 0.75) {
      if (!one.caughtUp) return
      this.transcript.resyncing(one)
      this.#send({ action: "resync", rooms: [one.room] })
    } else if (dice < 0.85) {
      this.#send({ action: "ping" })
    } else if (dice < 0.95) {
      this.#changeRooms(one.room)
    } else {
      this.#nonsense += 1
      this.#send({ action: "sing", what: nameOf({ matchId: "", epoch: 0, seq: 0 }) })
    }
  }

  /** Leaves a room, and comes back to it with its cursor after a while. */
  #changeRooms(room: string): void {
    const parsed = parseRoom(room)
    const matchId = parsed?._tag === "Match" ? parsed.matchId : undefined
    if (matchId === undefined) return
    this.#subscribe([room], false)
  }
}

const textOfReceived = (received: Received): string =>
  received._tag === "Wrong"
    ? "hears what is wrong"
    : received._tag === "Said"
      ? `hears ${JSON.stringify(received.message)}`
      : `hears ${received._tag} ${received._tag === "Delta" ? `${received.base} -> ` : ""}${nameOf(received.version)}`
