/**
 * One simulated installation: the log and the store, which outlive all processes, the processes that use them, the
 * feeds, the clients, and the faults of the plot. `run` is an effect that ends after the hour, once everything is
 * quiet.
 */
import { EventLog, type StreamSpec } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { DIRECTORY, FEED, LIVE, REJECTED, streams } from "@matchpoint/contracts/bus/subjects"
import { planTerms } from "@matchpoint/domain/plans"
import { Effect, type Scope } from "effect"
import { clockText, Findings } from "../audit/Findings.ts"
import { Hearing } from "../audit/Hearing.ts"
import { History } from "../audit/History.ts"
import { Silence } from "../audit/Silence.ts"
import type { VirtualLoop } from "../machine/VirtualLoop.ts"
import { MemoryStore, scheduled } from "../storage/MemoryStore.ts"
import { ReplaceableLog } from "../storage/ReplaceableLog.ts"
import { TrimmedFeed } from "../storage/TrimmedFeed.ts"
import { createdFact, type FeedOptions, playFeed } from "./feeds.ts"
import { type Fault, type MatchPlan, type Plot, replacesLog } from "./Plot.ts"
import { type DisturbedStart, Processes } from "./Processes.ts"
import { SimulatedClient } from "./SimulatedClient.ts"

type Log = EventLog["Service"]

/** No storm blows for this long before the end, ms. */
const CALM_MS = 100_000

export interface WorldOptions {
  /** Receives a line for every event. */
  readonly trace?: ((text: string) => void) | undefined
  readonly disturbed?: DisturbedStart | undefined
}

/** Operations of an operator on the log. */
interface LogOperations {
  readonly feed: TrimmedFeed
  /** Keeps only what was appended up to `until`, epoch ms. */
  readonly replace: (until: number) => Effect.Effect<void, never, Scope.Scope>
}

export class World {
  readonly plot: Plot
  readonly loop: VirtualLoop
  readonly startedAt: number
  readonly findings: Findings
  readonly history: History
  readonly hearing: Hearing
  readonly #silence: Silence
  readonly #store = new MemoryStore()
  readonly #processes: Processes
  #clients: ReadonlyArray<SimulatedClient> = []
  readonly #trace: ((text: string) => void) | undefined

  constructor(plot: Plot, loop: VirtualLoop, { disturbed, trace }: WorldOptions = {}) {
    this.#trace = trace
    this.plot = plot
    this.loop = loop
    this.startedAt = loop.now
    this.findings = new Findings(() => loop.now)
    this.history = new History(this.findings)
    this.#silence = new Silence(this.findings)
    this.hearing = new Hearing(this.history, this.findings)
    this.#processes = new Processes({ plot, loop, findings: this.findings, store: this.#store, disturbed })
  }

  get clients(): ReadonlyArray<SimulatedClient> {
    return this.#clients
  }

  readonly run = Effect.gen({ self: this }, function* () {
    const { plot } = this
    const replaceable = replacesLog(plot) ? yield* ReplaceableLog.open(this.#streams) : undefined
    const feed = new TrimmedFeed(this.#recorded(replaceable?.service ?? (yield* EventLog)))
    const log = feed.service
    const replace = (until: number) =>
      Effect.gen({ self: this }, function* () {
        yield* replaceable?.replace(until) ?? Effect.void
        feed.startOver()
        this.history.replaced(until)
        this.#silence.replaced(this.loop.now)
      })
    // A match that is registered and has no facts counts as lost.
    const register = (match: MatchPlan) => this.#store.register(scheduled(match.matchId, createdFact(match, this.startedAt)))
    if (replaceable === undefined) plot.matches.forEach(register)
    yield* this.#processes.startOwner(log)
    for (const n of plot.gateways.keys()) yield* this.#processes.startGateway(log, n)
    this.#clients = plot.clients.map(
      (plan) =>
        new SimulatedClient(plan, {
          loop: this.loop,
          random: this.#processes.random(),
          history: this.history,
          hearing: this.hearing,
          findings: this.findings,
          gateways: () => this.#processes.gateways,
          trace:
            this.#trace === undefined
              ? undefined
              : (client, event) => this.#trace?.(`${clockText(this.loop.now - this.startedAt)} ${client} ${event}`),
          isQuiet: () => this.loop.now - this.startedAt >= plot.quietFromMs,
        }),
    )
    for (const match of plot.matches) {
      const feedOptions: FeedOptions = {
        plan: match,
        startedAt: this.startedAt,
        endsMs: plot.feedsEndMs,
        log: this.#processes.link(log).service,
        random: this.#processes.random(),
        onBegin: () => {
          if (replaceable !== undefined) register(match)
        },
        onReport: () => this.#silence.reported(match.matchId, this.loop.now),
      }
      yield* Effect.forkChild(playFeed(feedOptions))
    }
    for (const fault of plot.faults) {
      yield* Effect.forkChild(Effect.delay(this.#cause({ feed, replace }, fault), fault.atMs))
    }
    yield* Effect.sleep(plot.lengthMs - CALM_MS)
    this.#processes.setStorm(0)
    yield* Effect.sleep(CALM_MS)
    this.#settle()
  }).pipe(Effect.scoped)

  get log() {
    return EventLogMemory.layer({ streams: this.#streams })
  }

  get #streams(): ReadonlyArray<StreamSpec> {
    const { feedBytes, liveBytes } = this.plot
    const bytes: Record<string, number> = { [FEED]: feedBytes, [LIVE]: liveBytes, [DIRECTORY]: 1_000_000, [REJECTED]: 1_000_000 }
    return streams.map((spec) => ({ ...spec, maxBytes: bytes[spec.name] ?? spec.maxBytes }))
  }

  /** Adds every record that LIVE accepts to the history. */
  #recorded(log: Log): Log {
    return EventLog.of({
      ...log,
      append: (subject, id, data, options) =>
        log.append(subject, id, data, options).pipe(
          Effect.tap(({ duplicate, sequence }) =>
            Effect.sync(() => {
              if (duplicate || !subject.startsWith("live.")) return
              const version = this.history.take({ subject, id, data, sequence, appendedAt: this.loop.now })
              if (version !== undefined) this.#silence.published(version, this.loop.now)
            }),
          ),
        ),
    })
  }

  #cause({ feed, replace }: LogOperations, fault: Fault): Effect.Effect<void, never, Scope.Scope> {
    const log = feed.service
    return Effect.gen({ self: this }, function* () {
      const n = this.#processes.random().int(0, this.plot.gateways.length - 1)
      const gateway = this.#processes.gateways[n]
      const owner = this.#processes.owner
      this.#trace?.(`${clockText(this.loop.now - this.startedAt)} ${JSON.stringify({ ...fault, n })}`)
      switch (fault._tag) {
        case "OwnerKilled":
          if (owner !== undefined) yield* Effect.forkChild(owner.kill)
          if (fault.losesCheckpoints) for (const { matchId } of this.plot.matches) this.#store.forgetCheckpoint(matchId)
          yield* Effect.sleep(fault.forMs)
          if (this.#processes.owner === owner) yield* this.#processes.startOwner(log)
          break
        case "OwnerFrozen":
          owner?.log.freeze()
          yield* this.#processes.startOwner(log)
          yield* Effect.sleep(fault.forMs)
          owner?.log.thaw()
          yield* Effect.sleep(fault.thawedMs)
          if (owner !== undefined) yield* owner.kill
          break
        case "GatewayKilled":
          if (gateway?.isUp !== true) break
          yield* Effect.forkChild(gateway.kill(fault.kept, fault.silently))
          yield* Effect.sleep(fault.forMs)
          yield* this.#processes.startGateway(log, n)
          break
        case "GatewayDrained":
          if (gateway?.isUp !== true) break
          yield* gateway.drain
          yield* Effect.sleep(fault.forMs)
          yield* this.#processes.startGateway(log, n)
          break
        case "GatewayFrozen":
          gateway?.log.freeze()
          yield* Effect.sleep(fault.forMs)
          gateway?.log.thaw()
          break
        case "Storm":
          this.#processes.setStorm(fault.strength)
          yield* Effect.sleep(fault.forMs)
          this.#processes.setStorm(0)
          break
        case "SecondOwner":
          yield* this.#processes.startOwner(log)
          yield* Effect.sleep(fault.staysMs)
          if (owner !== undefined) yield* owner.kill
          break
        case "FeedTrimmed":
          yield* feed.trim(fault.kept)
          break
        case "StoreDown":
          this.#processes.storeIsDown(true)
          yield* Effect.sleep(fault.forMs)
          this.#processes.storeIsDown(false)
          break
        case "LogReplaced":
          yield* replace(fault.backupAgeMs === undefined ? 0 : this.loop.now - fault.backupAgeMs)
          break
        case "StoreSlow":
          this.#processes.storeIsSlow(true)
          yield* Effect.sleep(fault.forMs)
          this.#processes.storeIsSlow(false)
          break
        case "LogTimeUnknown":
          gateway?.log.failTimeOnce()
          break
        case "ClockJump":
          ;(fault.ofOwner ? owner : gateway)?.clock.jump(fault.byMs)
      }
    })
  }

  #settle(): void {
    const { findings, history } = this
    for (const { matchId } of this.plot.matches) this.#silence.settle(matchId, history.last(matchId))
    if (!this.#processes.gateways.some((gateway) => gateway.isUp)) findings.add("world", "no gateway is up")
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
