/**
 * A correct client whose behaviour is decided by its seed: it connects, follows rooms, pauses reading, loses its
 * connection with or without noticing, resumes with its cursors, subscribes again. Everything it receives goes to its
 * {@link Transcript}.
 */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { shouldReconnect } from "@matchpoint/contracts/stream/closeCodes"
import { type Cursor, parseCursor } from "@matchpoint/contracts/stream/cursors"
import { ALL, parseRoom } from "@matchpoint/contracts/stream/rooms"
import { SOCKET_PATH, STREAM_PATH } from "@matchpoint/cs2/contract/http/streamPaths"
import type { MatchId } from "@matchpoint/domain/ids"
import { planTerms } from "@matchpoint/domain/plans"
import { type ControlMessage, nameOf, type Received } from "../audit/Hearing.ts"
import type { Version } from "../audit/History.ts"
import { Transcript } from "../audit/Transcript.ts"
import type { Listener, ServerEnd } from "../network/connections.ts"
import type { LinkSpeed } from "../network/Wire.ts"
import { secretOfPlan } from "../storage/MemoryStore.ts"
import type { ClientPlan, Environment } from "./clientPlan.ts"
import type { GatewayNode } from "./nodes.ts"

const SILENCE_MS = 45_000
const CONNECT_WITHIN_MS = 12_000
const LOOK_EVERY_MS = 5_000

export class SimulatedClient {
  readonly plan: ClientPlan
  readonly transcript: Transcript
  readonly #environment: Environment
  /** Counts connections, so that data from an earlier one is ignored. */
  #generation = 0
  #server: ServerEnd | undefined
  #connecting = false
  #gateway: GatewayNode | undefined
  #receivedAt = 0
  /** The limit that `ready` reported. */
  #waitingBytes: number | undefined
  #speed: LinkSpeed
  /** Paused or slow until then: heartbeats may arrive late. */
  #slowUntil = 0
  #lastEventId: string | undefined
  /** Rooms requested and not yet confirmed, each with its cursor. */
  readonly #asked = new Map<string, Cursor | undefined>()
  /** Rooms that the server did not know yet, to be requested again. */
  readonly #unknown = new Set<string>()
  #nonsense = 0
  /** The match that it wants to follow no longer exists. */
  isGoneMatch = false
  readonly counts = { connects: 0, resumes: 0, recovered: 0, partial: 0, reset: 0, errors: 0, slowCloses: 0 }

  constructor(plan: ClientPlan, environment: Environment) {
    this.plan = plan
    this.#environment = environment
    this.#speed = plan.speed
    this.transcript = new Transcript({
      name: `${plan.name} ${plan.transport} ${plan.shape} ${plan.plan} ${plan.rooms.join()} ${plan.slow}${plan.maxRateMs === undefined ? "" : ` ${plan.maxRateMs}ms`}`,
      history: environment.history,
      findings: environment.findings,
      now: () => environment.loop.now,
      delayMs: planTerms[plan.plan].delaySeconds * 1_000,
      updatesAreSnapshots: plan.transport === "stream" && plan.shape === "v1",
    })
    this.#later(environment.random.int(0, 120_000), () => this.#connect())
    this.#watch()
    this.#scheduleAction()
  }

  get isConnected(): boolean {
    return this.#server !== undefined
  }

  get isConflated(): boolean {
    return this.plan.maxRateMs !== undefined
  }

  /** Restores full speed for the end of the simulation. */
  wakeUp(): void {
    this.#slowUntil = this.#environment.loop.now
    this.#changeSpeed({ ...this.plan.speed, bytesPerMs: Number.POSITIVE_INFINITY })
  }

  #later(ms: number, run: () => void): void {
    this.#environment.loop.arrive(ms, run)
  }

  #connect(): void {
    const { gateways, loop, random } = this.#environment
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
    const isCurrent = () => generation === this.#generation
    const again = (ms: number) => this.#later(ms, () => this.#connect())
    const gone = (): void => {
      if (!isCurrent()) return
      this.#environment.trace?.(this.plan.name, "is disconnected")
      this.#generation += 1
      this.#connecting = false
      this.#server = undefined
      again(random.int(0, 3_000))
    }
    this.#later(CONNECT_WITHIN_MS, () => {
      if (isCurrent() && this.#connecting) gone()
    })
    const listener: Listener = {
      isAlive: () => isCurrent() && this.#speed.bytesPerMs > 0,
      rejected: (status) => {
        if (!isCurrent()) return
        this.#connecting = false
        this.isGoneMatch = status === 404
        if (![404, 429, 503].includes(status)) this.#environment.findings.add(this.plan.name, `rejected with ${status}`)
        again(random.int(1_000, 5_000))
      },
      opened: (server) => {
        if (!isCurrent()) {
          server.peerLeft()
          return
        }
        this.#environment.trace?.(this.plan.name, `connected${this.#lastEventId === undefined ? "" : ` with ${this.#lastEventId}`}`)
        this.#connecting = false
        this.#server = server
        // The speed may have changed since the connection attempt.
        if (this.#speed !== attempt.speed) server.change(this.#speed)
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
    const attempt = { headers: {}, address: [10, 0, 0, 1], speed: this.#speed } as const
    this.transcript.reconnected()
    this.#asked.clear()
    this.#unknown.clear()
    if (this.plan.transport === "socket") {
      gateway.server.connectSocket(
        { ...attempt, path: API_ROOT + SOCKET_PATH, query: query.toString() },
        {
          ...listener,
          message: (bytes, sentAt) => {
            if (isCurrent()) this.#receive(bytes, sentAt)
          },
          closed: (code) => {
            if (!isCurrent()) return
            if (code === 3008) this.counts.slowCloses += 1
            if (!shouldReconnect(code) && this.#nonsense === 0) this.#environment.findings.add(this.plan.name, `closed with ${code}`)
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
      { ...attempt, headers: headers ?? {}, path: API_ROOT + STREAM_PATH, query: query.toString() },
      {
        ...listener,
        chunk: (bytes, sentAt) => {
          if (isCurrent()) this.#receiveChunk(bytes, sentAt)
        },
        ended: gone,
      },
    )
  }

  #receive(bytes: Uint8Array, sentAt: number): void {
    this.#receivedAt = this.#environment.loop.now
    const received = this.#environment.hearing.message(bytes)
    this.#environment.trace?.(this.plan.name, receivedText(received))
    if (received._tag === "Control") this.#react(received.message)
    this.transcript.receive(received, sentAt)
  }

  #receiveChunk(chunk: Uint8Array, sentAt: number): void {
    this.#receivedAt = this.#environment.loop.now
    for (const { received, id } of this.#environment.hearing.events(chunk)) {
      if (received === undefined) continue
      this.#environment.trace?.(this.plan.name, `${receivedText(received)}${id === undefined ? "" : ` id ${id}`}`)
      this.transcript.receive(received, sentAt)
      if (id !== undefined) {
        this.#lastEventId = id
        if (parseCursor(id) === undefined) this.#environment.findings.add(this.plan.name, `an id that is not a cursor: ${id}`)
      }
      if (received._tag === "Control") this.#react(received.message)
    }
  }

  #react(message: ControlMessage): void {
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
    else this.#environment.findings.add(this.plan.name, `error ${message.code}: ${message.message}`)
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

  /** Called only once the server confirms: until then, earlier messages still arrive. */
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
    return this.#environment.random.chance(0.5) ? { epoch, seq } : { epoch, seq, position }
  }

  #send(message: object): void {
    const server = this.#server
    const text = JSON.stringify(message)
    this.#environment.trace?.(this.plan.name, `sends ${text}`)
    if (server !== undefined) this.#later(this.#speed.latencyMs, () => server.receive(text))
  }

  /**
   * `half`: the server does not notice, and the client considers itself disconnected. `broken`: the server notices
   * later.
   */
  #leave(how: "clean" | "broken" | "half"): void {
    this.#environment.trace?.(this.plan.name, `leaves (${how})`)
    const { random } = this.#environment
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
    this.#later(this.#environment.isQuiet() ? 100 : away, () => this.#connect())
  }

  #changeSpeed(speed: LinkSpeed): void {
    this.#environment.trace?.(this.plan.name, `reads ${speed.bytesPerMs} bytes per ms`)
    this.#speed = speed
    this.#server?.change(speed)
  }

  /** Checks the server's promise on buffered bytes per client. One message may exceed it. */
  #checkBuffer(): void {
    const server = this.#server
    if (server === undefined || this.#waitingBytes === undefined || server.mostWaiting <= this.#waitingBytes + server.largest) return
    this.#environment.findings.add(this.plan.name, `${server.mostWaiting} bytes waited in the server, the limit is ${this.#waitingBytes}`)
  }

  /** A connection without data for three heartbeats counts as dead, even if the socket is open. */
  #watch(): void {
    const { isQuiet, loop, random } = this.#environment
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

  #scheduleAction(): void {
    const { isQuiet, random } = this.#environment
    this.#later(random.wait(this.plan.actionsEveryMs), () => {
      if (isQuiet()) return
      this.#randomAction()
      this.#scheduleAction()
    })
  }

  #randomAction(): void {
    const { loop, random } = this.#environment
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
      this.#subscribeAgain(one.room)
    } else {
      this.#nonsense += 1
      this.#send({ action: "sing", what: nameOf({ matchId: "", epoch: 0, seq: 0 }) })
    }
  }

  /** Subscribes to a room of a match again, without a cursor. */
  #subscribeAgain(room: string): void {
    const parsed = parseRoom(room)
    const matchId = parsed?._tag === "Match" ? parsed.matchId : undefined
    if (matchId === undefined) return
    this.#subscribe([room], false)
  }
}

const receivedText = (received: Received): string =>
  received._tag === "Wrong"
    ? "receives an invalid message"
    : received._tag === "Control"
      ? `receives ${JSON.stringify(received.message)}`
      : `receives ${received._tag} ${received._tag === "Delta" ? `${received.base} -> ` : ""}${nameOf(received.version)}`
