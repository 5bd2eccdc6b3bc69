// Owns one comparison: servers that differ only in how they meter, one after another, each a process of its own with the machine to itself:
// one that idles beside it collects its garbage and has the caches cold when its turn comes, which took up to half of the rate. Every set has
// fresh processes, because two copies of one server differ by some percent, and the other order, because the machine drifts.
import type { ChildProcess } from "node:child_process"
import { calm } from "../lib/calm.ts"
import { ask, receive, start, stop } from "../lib/child.ts"
import { machineBusyUs } from "../lib/machine.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import { median, rounded } from "../lib/statistics.ts"
import type { Flags } from "./flags.ts"
import type { Counters, Crowd, Database, Listening, LoadOrder, LoadResult, Metering, ServerOptions } from "./orders.ts"

export interface Comparison {
  readonly crowd: Crowd
  readonly database: Database
  /** The first is what the others are held against. */
  readonly meterings: ReadonlyArray<Metering>
}

interface Round {
  readonly rps: number
  readonly serverCpuUs: number
  readonly generatorCpuUs: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly settlesPer1000: number
  readonly coresOfOthers: number
}

/** As `npm start` runs the product. */
const AS_STARTED = "--max-semi-space-size=64"
const WARM_UP_MS = 4_000
const START_MS = 60_000
/** How long a comparison that wants a calm machine goes on waiting for one. */
const PATIENCE_US = 10 * 60 * 1e6

class Variant {
  readonly metering: Metering
  readonly #server: ChildProcess
  #listening: Listening | undefined

  constructor(metering: Metering, { crowd, database }: Comparison, flags: Flags) {
    this.metering = metering
    const options: ServerOptions = { crowd, database, metering, postgresUrl: flags.postgres }
    const profile = flags.profile === undefined ? [] : ["--cpu-prof", "--cpu-prof-dir", flags.profile]
    const name = flags.profile === undefined ? [] : ["--cpu-prof-name", `${crowd}-${database}-${metering}-${process.pid}.cpuprofile`]
    this.#server = start(new URL("server.ts", import.meta.url), [JSON.stringify(options)], [AS_STARTED, ...profile, ...name])
  }

  async warmUp(generator: ChildProcess, connections: number): Promise<void> {
    this.#listening = await receive<Listening>(this.#server, START_MS)
    await this.#load(generator, connections, WARM_UP_MS)
  }

  async measure(generator: ChildProcess, connections: number, milliseconds: number): Promise<Round> {
    const before = await this.#counters()
    const busyBefore = machineBusyUs()
    const began = monotonicUs()
    const load = await this.#load(generator, connections, milliseconds)
    const others = machineBusyUs() - busyBefore
    const tookUs = monotonicUs() - began
    const after = await this.#counters()
    const serverCpu = after.cpuUs - before.cpuUs
    return {
      rps: load.responses / load.seconds,
      serverCpuUs: serverCpu / load.responses,
      generatorCpuUs: load.cpuUs / load.responses,
      p50Ms: load.p50Ms,
      p99Ms: load.p99Ms,
      settlesPer1000: ((after.settles - before.settles) / load.responses) * 1_000,
      coresOfOthers: Math.max(0, others - serverCpu - load.cpuUs) / tookUs,
    }
  }

  stop(): Promise<void> {
    return stop(this.#server)
  }

  #counters(): Promise<Counters> {
    return ask<object, Counters>(this.#server, {}, 10_000)
  }

  #load(generator: ChildProcess, connections: number, milliseconds: number): Promise<LoadResult> {
    if (this.#listening === undefined) throw new Error("A server is measured before it listens")
    return ask<LoadOrder, LoadResult>(generator, { ...this.#listening, connections, milliseconds }, milliseconds + 30_000)
  }
}

export const compare = async (comparison: Comparison, flags: Flags) => {
  const sets: Array<ReadonlyMap<Metering, ReadonlyArray<Round>>> = []
  const deadlineUs = monotonicUs() + PATIENCE_US
  let discarded = 0
  for (let set = 0; set < flags.sets; set++) {
    const measured = new Map<Metering, ReadonlyArray<Round>>()
    const order = set % 2 === 0 ? comparison.meterings : comparison.meterings.toReversed()
    for (const metering of order) {
      const alone = await measureAlone(metering, comparison, flags, deadlineUs)
      discarded += alone.discarded
      measured.set(metering, alone.rounds)
    }
    sets.push(measured)
  }
  return {
    ...comparison,
    discarded,
    servers: comparison.meterings.map((metering) => ({ metering, ...summary(sets, metering, comparison) })),
  }
}

/** A fresh process, from its start to its end. */
const measureAlone = async (metering: Metering, comparison: Comparison, flags: Flags, deadlineUs: number) => {
  const generator = start(new URL("generator.ts", import.meta.url))
  const variant = new Variant(metering, comparison, flags)
  const rounds: Array<Round> = []
  let discarded = 0
  try {
    await variant.warmUp(generator, flags.connections)
    while (rounds.length < flags.rounds) {
      const wanted = flags.calmShare !== undefined && (await calm(flags.calmShare, deadlineUs)) ? flags.calmShare : Number.POSITIVE_INFINITY
      const round = await variant.measure(generator, flags.connections, flags.seconds * 1_000)
      process.stderr.write(`${comparison.crowd} ${comparison.database} ${metering} ${describe(round)}\n`)
      // What decides is others' CPU time, not the result.
      if (round.coresOfOthers > wanted) discarded++
      else rounds.push(round)
    }
  } finally {
    await Promise.all([variant.stop(), stop(generator)])
  }
  return { rounds, discarded }
}

const describe = ({ rps, serverCpuUs, p99Ms, coresOfOthers }: Round): string =>
  `${Math.round(rps)}/s, ${serverCpuUs.toFixed(1)} us, p99 ${p99Ms} ms, others ${coresOfOthers.toFixed(2)}`

type Sets = ReadonlyArray<ReadonlyMap<Metering, ReadonlyArray<Round>>>

const roundsOf = (set: Sets[number], metering: Metering | undefined): ReadonlyArray<Round> =>
  metering === undefined ? [] : (set.get(metering) ?? [])

/** Medians over all rounds; a ratio is one of a set's medians, against the first server of it. */
const summary = (sets: Sets, metering: Metering, { meterings }: Comparison) => {
  const rounds = sets.flatMap((set) => roundsOf(set, metering))
  const medianOf = (set: Sets[number], one: Metering | undefined, name: keyof Round) =>
    median(roundsOf(set, one).map((round) => round[name]))
  const ratios = sets.map((set) => medianOf(set, metering, "rps") / medianOf(set, meterings[0], "rps")).sort((a, b) => a - b)
  const cpuRatios = sets.map((set) => medianOf(set, meterings[0], "serverCpuUs") / medianOf(set, metering, "serverCpuUs"))
  const of = (name: keyof Round, digits: number) => rounded(median(rounds.map((round) => round[name])), digits)
  return {
    rps: of("rps", 0),
    /** Requests per second against the first; the bar is 0.95. */
    ratio: rounded(median(ratios), 3),
    ratios: ratios.map((ratio) => rounded(ratio, 3)),
    /** The same by CPU per request: what the ratio would be if nothing but the server's own work counted. */
    cpuRatio: rounded(median(cpuRatios), 3),
    cpuUsPerRequest: of("serverCpuUs", 1),
    generatorCpuUsPerRequest: of("generatorCpuUs", 1),
    p50Ms: of("p50Ms", 2),
    p99Ms: of("p99Ms", 2),
    // The mean: leases are taken by many accounts at once, and then for many rounds by none.
    ledgerRoundTripsPer1000: rounded(rounds.reduce((sum, { settlesPer1000 }) => sum + settlesPer1000, 0) / rounds.length, 2),
    /** Cores that other processes used meanwhile, PostgreSQL among them. */
    coresOfOthers: of("coresOfOthers", 2),
  }
}
