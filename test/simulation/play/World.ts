/**
 * One simulated installation: the log and the store, which outlive all processes, the processes that use them, the
 * feeds, the clients, and the faults of the plot. `run` is an effect that ends after the hour, once everything is
 * quiet.
 */
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { DIRECTORY, FEED, LIVE, REJECTED, streams } from "@matchpoint/contracts/bus/subjects"
import { planTerms } from "@matchpoint/domain/plans"
import { GatewayConfig, type GatewaySettings } from "@matchpoint/service-gateway/GatewayConfig"
import { childSeed, Random } from "@matchpoint/simulator/random"
import { Effect } from "effect"
import { clockText, Findings } from "../audit/Findings.ts"
import { Hearing } from "../audit/Hearing.ts"
import { History } from "../audit/History.ts"
import { NodeClock } from "../machine/NodeClock.ts"
import type { VirtualLoop } from "../machine/VirtualLoop.ts"
import { FaultyLog, type LogFaults, noFaults } from "../storage/FaultyLog.ts"
import { MemoryStore, type StoreFaults, StoreLink, scheduled } from "../storage/MemoryStore.ts"
import { TrimmedFeed } from "../storage/TrimmedFeed.ts"
import { checkedGame } from "./checkedGame.ts"
import { playFeed } from "./feeds.ts"
import { GatewayNode, MatchNode } from "./nodes.ts"
import { type Fault, HOUR_MS, type Plot, QUIET_FROM_MS } from "./Plot.ts"
import { SimulatedClient } from "./SimulatedClient.ts"

type Log = EventLog["Service"]

const calm: StoreFaults = { slow: 0.02, slowMs: 200, fails: 0 }

export class World {
  readonly plot: Plot
  readonly loop: VirtualLoop
  readonly startedAt: number
  readonly findings: Findings
  readonly history: History
  readonly hearing: Hearing
  readonly #store = new MemoryStore()
  #isStoreDown = false
  readonly #links = new Set<StoreLink>()
  readonly #logs = new Set<FaultyLog>()
  readonly #gateways: Array<GatewayNode> = []
  #clients: ReadonlyArray<SimulatedClient> = []
  #seeds = 1_000
  #owner: MatchNode | undefined
  #strength = 0

  readonly #trace: ((text: string) => void) | undefined

  /** `trace` receives a line for every event. */
  constructor(plot: Plot, loop: VirtualLoop, trace?: (text: string) => void) {
    this.#trace = trace
    this.plot = plot
    this.loop = loop
    this.startedAt = loop.now
    this.findings = new Findings(() => loop.now)
    this.history = new History(this.findings)
    this.hearing = new Hearing(this.history, this.findings)
  }

  get clients(): ReadonlyArray<SimulatedClient> {
    return this.#clients
  }

  readonly run = Effect.gen({ self: this }, function* () {
    const { plot } = this
    const feed = new TrimmedFeed(this.#recorded(yield* EventLog))
    const log = feed.service
    for (const { matchId } of plot.matches) this.#store.register(scheduled(matchId))
    yield* this.#startOwner(log)
    for (let n = 0; n < plot.gateways; n++) yield* this.#startGateway(log, n)
    this.#clients = plot.clients.map(
      (plan) =>
        new SimulatedClient(plan, {
          loop: this.loop,
          random: this.#random(),
          history: this.history,
          hearing: this.hearing,
          findings: this.findings,
          gateways: () => this.#gateways,
          trace:
            this.#trace === undefined
              ? undefined
              : (client, event) => this.#trace?.(`${clockText(this.loop.now - this.startedAt)} ${client} ${event}`),
          isQuiet: () => this.loop.now - this.startedAt >= QUIET_FROM_MS,
        }),
    )
    for (const match of plot.matches) yield* Effect.forkChild(playFeed(this.#link(log).service, match, this.startedAt, this.#random()))
    for (const fault of plot.faults) {
      yield* Effect.forkChild(Effect.delay(this.#cause(feed, fault), fault.atMs))
    }
    yield* Effect.sleep(QUIET_FROM_MS + 100_000)
    this.#setStorm(0)
    yield* Effect.sleep(HOUR_MS - QUIET_FROM_MS - 100_000)
    this.#settle()
  }).pipe(Effect.scoped)

  get log() {
    const { feedBytes, liveBytes } = this.plot
    const bytes: Record<string, number> = { [FEED]: feedBytes, [LIVE]: liveBytes, [DIRECTORY]: 1_000_000, [REJECTED]: 1_000_000 }
    return EventLogMemory.layer({ streams: streams.map((spec) => ({ ...spec, maxBytes: bytes[spec.name] ?? spec.maxBytes })) })
  }

  /** Adds every record that LIVE accepts to the history. */
  #recorded(log: Log): Log {
    return EventLog.of({
      ...log,
      append: (subject, id, data, options) =>
        log.append(subject, id, data, options).pipe(
          Effect.tap(({ duplicate, sequence }) =>
            Effect.sync(() => {
              if (!duplicate && subject.startsWith("live.")) this.history.take({ subject, id, data, sequence, appendedAt: this.loop.now })
            }),
          ),
        ),
    })
  }

  #random(): Random {
    this.#seeds += 1
    return new Random(childSeed(this.plot.seed, this.#seeds))
  }

  #link(log: Log): FaultyLog {
    const faulty = new FaultyLog(log, this.#random(), faultsOf(this.#strength))
    this.#logs.add(faulty)
    return faulty
  }

  #storeLink(): StoreLink {
    const link = new StoreLink(this.#random(), storeFaultsOf(this.#strength))
    this.#links.add(link)
    link.isDown = this.#isStoreDown
    return link
  }

  #storeIsDown(isDown: boolean): void {
    this.#isStoreDown = isDown
    for (const link of this.#links) link.isDown = isDown
  }

  /** Creates a clock that is correct, or off by at most what the plot allows. */
  #clock(): NodeClock {
    const { maxSkewMs } = this.plot
    return new NodeClock(this.loop, maxSkewMs === 0 ? 0 : this.#random().int(-maxSkewMs, maxSkewMs))
  }

  #setStorm(strength: number): void {
    this.#strength = strength
    for (const log of this.#logs) log.faults = faultsOf(strength)
    for (const link of this.#links) link.faults = storeFaultsOf(strength)
  }

  readonly #startOwner = (log: Log) =>
    Effect.gen({ self: this }, function* () {
      this.#owner = new MatchNode(checkedGame(this.findings), this.#link(log), this.#store, this.#storeLink(), this.#clock())
      yield* this.#owner.start
    })

  readonly #startGateway = (log: Log, n: number): Effect.Effect<void> =>
    Effect.gen({ self: this }, function* () {
      const { load, maxBackpressureBytes, ringAgeMs, ringFrames } = this.plot
      const random = this.#random()
      const bounds = { frames: ringFrames, ageMs: ringAgeMs, bytes: 16 * 1024 * 1024 }
      const defaults = yield* GatewayConfig
      const settings: GatewaySettings = {
        ...defaults,
        maxBackpressureBytes,
        // Clients move between gateways of both kinds.
        reads: n % 2 === 1 ? "followed" : "all",
        roomBounds: { ...defaults.roomBounds, match: bounds, all: { ...bounds, frames: bounds.frames * 2 } },
      }
      const gateway = new GatewayNode({
        loop: this.loop,
        log: this.#link(log),
        link: this.#storeLink(),
        settings,
        load: () => (load === 0 ? 0 : random.next() * load),
        clock: this.#clock(),
      })
      this.#gateways[n] = gateway
      // A gateway that cannot read the log exits, and its supervisor starts another.
      yield* gateway.start.pipe(
        Effect.catchCause(() => Effect.andThen(gateway.kill(0, true), Effect.delay(this.#startGateway(log, n), "1 second"))),
      )
    })

  #cause(feed: TrimmedFeed, fault: Fault): Effect.Effect<void> {
    const log = feed.service
    return Effect.gen({ self: this }, function* () {
      const n = this.#random().int(0, this.plot.gateways - 1)
      const gateway = this.#gateways[n]
      const owner = this.#owner
      this.#trace?.(`${clockText(this.loop.now - this.startedAt)} ${JSON.stringify({ ...fault, n })}`)
      switch (fault._tag) {
        case "OwnerKilled":
          if (owner !== undefined) yield* Effect.forkChild(owner.kill)
          if (fault.losesCheckpoints) for (const { matchId } of this.plot.matches) this.#store.forgetCheckpoint(matchId)
          yield* Effect.sleep(fault.forMs)
          if (this.#owner === owner) yield* this.#startOwner(log)
          break
        case "OwnerFrozen":
          owner?.log.freeze()
          yield* this.#startOwner(log)
          yield* Effect.sleep(fault.forMs)
          owner?.log.thaw()
          yield* Effect.sleep(fault.thawedMs)
          if (owner !== undefined) yield* owner.kill
          break
        case "GatewayKilled":
          if (gateway?.isUp !== true) break
          yield* Effect.forkChild(gateway.kill(fault.kept, fault.silently))
          yield* Effect.sleep(fault.forMs)
          yield* this.#startGateway(log, n)
          break
        case "GatewayDrained":
          if (gateway?.isUp !== true) break
          yield* gateway.drain
          yield* Effect.sleep(fault.forMs)
          yield* this.#startGateway(log, n)
          break
        case "GatewayFrozen":
          gateway?.log.freeze()
          yield* Effect.sleep(fault.forMs)
          gateway?.log.thaw()
          break
        case "Storm":
          this.#setStorm(fault.strength)
          yield* Effect.sleep(fault.forMs)
          this.#setStorm(0)
          break
        case "SecondOwner":
          yield* this.#startOwner(log)
          yield* Effect.sleep(fault.staysMs)
          if (owner !== undefined) yield* owner.kill
          break
        case "FeedTrimmed":
          yield* feed.trim(fault.kept)
          break
        case "StoreDown":
          this.#storeIsDown(true)
          yield* Effect.sleep(fault.forMs)
          this.#storeIsDown(false)
          break
        case "ClockJump":
          ;(fault.ofOwner ? owner : gateway)?.clock.jump(fault.byMs)
      }
    })
  }

  #settle(): void {
    const { findings, history } = this
    if (!this.#gateways.some((gateway) => gateway.isUp)) findings.add("world", "no gateway is up")
    for (const client of this.#clients) {
      if (!client.isConnected) {
        if (!client.isGoneMatch) findings.add(client.plan.name, "is not connected at the end")
        continue
      }
      const delayMs = planTerms[client.plan.plan].delaySeconds * 1_000
      client.transcript.settle((matchId) => {
        const at = history.last(matchId)?.records[0]?.at
        return at !== undefined && this.loop.now - at < 500_000 && this.loop.now - at > delayMs + 11_000
      })
    }
  }
}

const faultsOf = (strength: number): LogFaults =>
  strength === 0
    ? { ...noFaults, appendSlow: 0.05, slowMs: 40, readSlow: 0.02 }
    : {
        appendSlow: strength * 0.5,
        appendFails: strength * 0.2,
        appendLost: strength * 0.1,
        readBreaks: strength * 0.1,
        readSlow: strength * 0.5,
        slowMs: 3_000,
      }

const storeFaultsOf = (strength: number): StoreFaults => (strength === 0 ? calm : { slow: 0.5, slowMs: 5_000, fails: strength * 0.5 })
