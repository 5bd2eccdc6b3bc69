// Owns one comparison: servers that differ only in how they meter, in one process and in turns A B B A A B, so that they share what makes two
// processes of one program differ by a third here (their heap and its garbage, what was compiled, caches) and every noisy moment. What is
// left between them is metering. Every set of turns has a fresh process.
import type { ChildProcess } from "node:child_process"
import { calm } from "../lib/calm.ts"
import { ask, receive, start, stop } from "../lib/child.ts"
import { machineBusyUs } from "../lib/machine.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import { median, percentile, rounded } from "../lib/statistics.ts"
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
const WARM_UP_TURNS = 3
const WARM_UP_MS = 1_000
const START_MS = 60_000
/** How long a comparison that wants a calm machine goes on waiting for one. */
const PATIENCE_US = 10 * 60 * 1e6

/** One process with a server for each metering, and its generator. */
class MeasuredSet {
  readonly #comparison: Comparison
  readonly #flags: Flags
  readonly #server: ChildProcess
  readonly #generator: ChildProcess
  #listening: Listening | undefined

  constructor(comparison: Comparison, flags: Flags) {
    const { crowd, database, meterings } = comparison
    const options: ServerOptions = { crowd, database, meterings, postgresUrl: flags.postgres }
    const profile = flags.profile === undefined ? [] : ["--cpu-prof", "--cpu-prof-dir", flags.profile]
    this.#comparison = comparison
    this.#flags = flags
    this.#server = start(new URL("server.ts", import.meta.url), [JSON.stringify(options)], [AS_STARTED, ...profile])
    this.#generator = start(new URL("generator.ts", import.meta.url))
  }

  async warmUp(): Promise<void> {
    this.#listening = await receive<Listening>(this.#server, START_MS)
    for (let turn = 0; turn < WARM_UP_TURNS; turn++) {
      for (const server of this.#comparison.meterings.keys()) await this.#load(server, WARM_UP_MS)
    }
  }

  /** A round of every server. */
  async turn(isReversed: boolean): Promise<ReadonlyArray<Round>> {
    const servers = [...this.#comparison.meterings.keys()]
    const rounds: Array<Round> = []
    for (const server of isReversed ? servers.toReversed() : servers) rounds.push(await this.#measure(server))
    return isReversed ? rounds.toReversed() : rounds
  }

  async stop(): Promise<void> {
    await Promise.all([stop(this.#server), stop(this.#generator)])
  }

  async #measure(server: number): Promise<Round> {
    const before = await this.#counters()
    const busyBefore = machineBusyUs()
    const began = monotonicUs()
    const load = await this.#load(server, this.#flags.seconds * 1_000)
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

  #counters(): Promise<Counters> {
    return ask<object, Counters>(this.#server, {}, 10_000)
  }

  #load(server: number, milliseconds: number): Promise<LoadResult> {
    const port = this.#listening?.ports[server]
    if (this.#listening === undefined || port === undefined) throw new Error("A server is measured before it listens")
    const { path, secrets } = this.#listening
    const order: LoadOrder = { port, path, secrets, connections: this.#flags.connections, milliseconds }
    return ask<LoadOrder, LoadResult>(this.#generator, order, milliseconds + 30_000)
  }
}

export const compare = async (comparison: Comparison, flags: Flags) => {
  const turns: Array<ReadonlyArray<Round>> = []
  const deadlineUs = monotonicUs() + PATIENCE_US
  let discarded = 0
  for (let number = 0; number < flags.sets; number++) {
    const set = new MeasuredSet(comparison, flags)
    try {
      await set.warmUp()
      for (let round = 0; round < flags.rounds; ) {
        const wanted =
          flags.calmShare !== undefined && (await calm(flags.calmShare, deadlineUs)) ? flags.calmShare : Number.POSITIVE_INFINITY
        const turn = await set.turn(round % 2 === 1)
        for (const [index, measured] of turn.entries()) {
          process.stderr.write(`${comparison.crowd} ${comparison.database} ${comparison.meterings[index]} ${describe(measured)}\n`)
        }
        // What decides is others' CPU time, not the result.
        if (turn.some(({ coresOfOthers }) => coresOfOthers > wanted)) {
          discarded++
          continue
        }
        turns.push(turn)
        round++
      }
    } finally {
      await set.stop()
    }
  }
  return { ...comparison, discarded, servers: comparison.meterings.map((metering, index) => ({ metering, ...summary(turns, index) })) }
}

const describe = ({ rps, serverCpuUs, p99Ms, coresOfOthers }: Round): string =>
  `${Math.round(rps)}/s, ${serverCpuUs.toFixed(1)} us, p99 ${p99Ms} ms, others ${coresOfOthers.toFixed(2)}`

/** Medians over all rounds; ratios are taken within each turn, against the first server of it. */
const summary = (turns: ReadonlyArray<ReadonlyArray<Round>>, index: number) => {
  const rounds = turns.flatMap((turn) => turn[index] ?? [])
  const ratios = turns.map((turn) => (turn[index]?.rps ?? Number.NaN) / (turn[0]?.rps ?? Number.NaN)).sort((a, b) => a - b)
  const cpuRatios = turns.map((turn) => (turn[0]?.serverCpuUs ?? Number.NaN) / (turn[index]?.serverCpuUs ?? Number.NaN))
  const of = (name: keyof Round, digits: number) => rounded(median(rounds.map((round) => round[name])), digits)
  return {
    rps: of("rps", 0),
    /** Requests per second against the first; the bar is 0.95. */
    ratio: rounded(median(ratios), 3),
    /** Of single turns: a quarter of them are below the first, a quarter above the second. */
    quartiles: [rounded(percentile(ratios, 0.25), 3), rounded(percentile(ratios, 0.75), 3)],
    turns: turns.length,
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
