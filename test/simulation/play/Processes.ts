/**
 * The processes of a simulated installation, and their links to the log and the store. They are started here; the faults of
 * the plot stop and disturb them.
 */
import type { EventLog } from "@matchpoint/bus/EventLog"
import { partitionOf } from "@matchpoint/contracts/bus/subjects"
import { GatewayConfig, type GatewaySettings } from "@matchpoint/game/edge/GatewayConfig"
import { childSeed, Random } from "@matchpoint/simulator/random"
import { Effect } from "effect"
import type { Findings } from "../audit/Findings.ts"
import { NodeClock } from "../machine/NodeClock.ts"
import type { VirtualLoop } from "../machine/VirtualLoop.ts"
import { FaultyLog, type LogFaults, noFaults } from "../storage/FaultyLog.ts"
import { type MemoryStore, type StoreFaults, StoreLink } from "../storage/MemoryStore.ts"
import type { SingleFault } from "../storage/SingleFault.ts"
import { checkedGame } from "./checkedGame.ts"
import { GatewayNode, MatchNode } from "./nodes.ts"
import { type Plot, replacesLog } from "./Plot.ts"

type Log = EventLog["Service"]

type ProcessKind = "owner" | "gateway"

/** One process whose requests a single fault counts. `start`: 1 is the first process of its kind. */
export interface DisturbedStart {
  readonly process: ProcessKind
  readonly start: number
  readonly by: SingleFault
}

export interface ProcessesOptions {
  readonly plot: Plot
  readonly loop: VirtualLoop
  readonly findings: Findings
  readonly store: MemoryStore
  readonly disturbed: DisturbedStart | undefined
}

export class Processes {
  readonly #plot: Plot
  readonly #loop: VirtualLoop
  readonly #findings: Findings
  readonly #store: MemoryStore
  readonly #disturbed: DisturbedStart | undefined
  /** Number of processes of each kind that have started. */
  readonly #starts = { owner: 0, gateway: 0 }
  readonly #links = new Set<StoreLink>()
  readonly #logs = new Set<FaultyLog>()
  #seeds = 1_000
  #isStoreDown = false
  #slowCauses = 0
  #strength = 0
  /** The owner that started last. */
  owner: MatchNode | undefined
  readonly gateways: Array<GatewayNode> = []

  constructor({ disturbed, findings, loop, plot, store }: ProcessesOptions) {
    this.#plot = plot
    this.#loop = loop
    this.#findings = findings
    this.#store = store
    this.#disturbed = disturbed
  }

  random(): Random {
    this.#seeds += 1
    return new Random(childSeed(this.#plot.seed, this.#seeds))
  }

  link(log: Log, singleFault?: SingleFault): FaultyLog {
    const faulty = new FaultyLog(singleFault?.log(log) ?? log, this.random(), faultsOf(this.#strength))
    this.#logs.add(faulty)
    return faulty
  }

  #storeLink(singleFault: SingleFault | undefined): StoreLink {
    const link = new StoreLink(this.random(), this.#storeFaults, singleFault)
    this.#links.add(link)
    link.isDown = this.#isStoreDown
    return link
  }

  storeIsDown(isDown: boolean): void {
    this.#isStoreDown = isDown
    for (const link of this.#links) link.isDown = isDown
  }

  /** Creates a clock that is correct, or off by at most what the plot allows. */
  #clock(): NodeClock {
    const { maxSkewMs } = this.#plot
    return new NodeClock(this.#loop, maxSkewMs === 0 ? 0 : this.random().int(-maxSkewMs, maxSkewMs))
  }

  setStorm(strength: number): void {
    this.#strength = strength
    for (const log of this.#logs) log.faults = faultsOf(strength)
    this.#changeStores()
  }

  /** Several causes may slow the database down at a time. */
  storeIsSlow(isSlow: boolean): void {
    this.#slowCauses += isSlow ? 1 : -1
    this.#changeStores()
  }

  #changeStores(): void {
    for (const link of this.#links) link.faults = this.#storeFaults
  }

  get #storeFaults(): StoreFaults {
    return this.#slowCauses > 0 ? slowStore : storeFaultsOf(this.#strength)
  }

  /** Returns the single fault if it is one of the process that starts now. */
  #singleFaultOf(process: ProcessKind): SingleFault | undefined {
    this.#starts[process] += 1
    const disturbed = this.#disturbed
    return disturbed?.process === process && disturbed.start === this.#starts[process] ? disturbed.by : undefined
  }

  readonly startOwner = (log: Log): Effect.Effect<void> =>
    Effect.gen({ self: this }, function* () {
      const { matches, matchesBy } = this.#plot
      const singleFault = this.#singleFaultOf("owner")
      const owner = new MatchNode({
        game: checkedGame(this.#findings),
        log: this.link(log, singleFault),
        store: this.#store,
        link: this.#storeLink(singleFault),
        clock: this.#clock(),
        looksForLost: replacesLog(this.#plot),
        partitions: matchesBy === "partition" ? [...new Set(matches.map(({ matchId }) => partitionOf(matchId)))] : undefined,
      })
      this.owner = owner
      // A process that cannot read the log exits, and its supervisor starts another.
      yield* owner.start.pipe(
        Effect.catchCause(() => {
          const again = Effect.suspend(() => (this.owner === owner ? this.startOwner(log) : Effect.void))
          return Effect.andThen(owner.kill, Effect.delay(again, "1 second"))
        }),
      )
    })

  readonly startGateway = (log: Log, n: number): Effect.Effect<void> =>
    Effect.gen({ self: this }, function* () {
      const { load, maxBackpressureBytes, ringAgeMs, ringFrames } = this.#plot
      const singleFault = this.#singleFaultOf("gateway")
      const random = this.random()
      const bounds = { frames: ringFrames, ageMs: ringAgeMs, bytes: 16 * 1024 * 1024 }
      const defaults = yield* GatewayConfig
      const settings: GatewaySettings = {
        ...defaults,
        maxBackpressureBytes,
        reads: this.#plot.gateways[n] ?? "all",
        roomBounds: { ...defaults.roomBounds, match: bounds, all: { ...bounds, frames: bounds.frames * 2 } },
      }
      const gateway = new GatewayNode({
        loop: this.#loop,
        log: this.link(log, singleFault),
        link: this.#storeLink(singleFault),
        settings,
        load: () => (load === 0 ? 0 : random.next() * load),
        clock: this.#clock(),
      })
      this.gateways[n] = gateway
      // A gateway that cannot read the log exits, and its supervisor starts another.
      yield* gateway.start.pipe(
        Effect.catchCause(() => Effect.andThen(gateway.kill(0, true), Effect.delay(this.startGateway(log, n), "1 second"))),
      )
    })
}

const calm: StoreFaults = { slow: 0.02, quickMs: 1, slowMs: 200, fails: 0 }
const slowStore: StoreFaults = { slow: 1, quickMs: 300, slowMs: 3_000, fails: 0.05 }

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

const storeFaultsOf = (strength: number): StoreFaults =>
  strength === 0 ? calm : { slow: 0.5, quickMs: 1, slowMs: 5_000, fails: strength * 0.5 }
