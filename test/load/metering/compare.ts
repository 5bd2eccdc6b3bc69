// Owns one comparison: servers that differ only in how they meter, each in its own process. They are loaded in turns so
// short that every disturbance of the machine affects all of them. Every set has new processes. Two servers in one
// process are not equal: V8 compiles better for the one created first. The second of two identical servers reached 0.92
// of the first one's rate.
import type { ChildProcess } from "node:child_process"
import { Effect, Random } from "effect"
import { nodeFlags } from "../../../infra/nodeFlags.mjs"
import { calm } from "../lib/calm.ts"
import { ask, receive, start, stop } from "../lib/child.ts"
import { machineBusyUs } from "../lib/machine.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import { mean, meanAndError, median, rounded } from "../lib/statistics.ts"
import type { Flags } from "./flags.ts"
import type { Counters, Crowd, Database, Listening, LoadOrder, LoadResult, Metering, ServerOptions } from "./orders.ts"

export interface Comparison {
  readonly crowd: Crowd
  readonly database: Database
  /** Servers that meter as the first one does are the base of all ratios. */
  readonly meterings: ReadonlyArray<Metering>
}

interface Round {
  readonly rps: number
  readonly serverCpuUs: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly settlesPer1000: number
  readonly coresOfOthers: number
}

const WARM_UP_SECONDS = 3
const START_MS = 60_000
/** Maximum time to wait for a calm machine. */
const PATIENCE_US = 10 * 60 * 1e6

/** A server for each kind of metering, and their generator. */
class MeasuredSet {
  readonly #flags: Flags
  readonly #processes: Array<ChildProcess> = []
  readonly #generator = start(new URL("generator.ts", import.meta.url))
  #listening: ReadonlyArray<Listening> = []

  constructor(flags: Flags) {
    this.#flags = flags
  }

  async start({ crowd, database, meterings }: Comparison): Promise<void> {
    const profiling = this.#flags.profile === undefined ? [] : ["--cpu-prof", "--cpu-prof-dir", this.#flags.profile]
    const listening: Array<Listening> = []
    // In random order, in case the order of the starts matters.
    for (const [index, metering] of Effect.runSync(Random.shuffle(meterings.entries()))) {
      const options: ServerOptions = { crowd, database, metering, postgresUrl: this.#flags.postgres }
      const server = start(new URL("server.ts", import.meta.url), [JSON.stringify(options)], [...nodeFlags, ...profiling])
      this.#processes[index] = server
      listening[index] = await receive<Listening>(server, START_MS)
    }
    this.#listening = listening
    await this.measure(WARM_UP_SECONDS)
  }

  /** Measures one round: `seconds` of every server. */
  async measure(seconds: number): Promise<ReadonlyArray<Round>> {
    const { connections, slice: sliceMs } = this.#flags
    const order: LoadOrder = { targets: this.#listening, connections, slices: Math.ceil((seconds * 1_000) / sliceMs), sliceMs }
    const before = await this.#counters()
    const busyBefore = machineBusyUs()
    const began = monotonicUs()
    const loads = await ask<LoadOrder, ReadonlyArray<LoadResult>>(this.#generator, order, this.#listening.length * seconds * 1_000 + 30_000)
    const tookUs = monotonicUs() - began
    const busyUs = machineBusyUs() - busyBefore
    const after = await this.#counters()
    const spent = loads.map((load, index) => {
      const [was, is] = [before[index], after[index]]
      if (was === undefined || is === undefined) throw new Error("There are more loads than servers")
      return { load, cpuUs: is.cpuUs - was.cpuUs, settles: is.settles - was.settles }
    })
    const ownUs = spent.reduce((sum, { cpuUs, load }) => sum + cpuUs + load.cpuUs, 0)
    return spent.map(({ cpuUs, load, settles }) => ({
      rps: load.responses / load.seconds,
      serverCpuUs: cpuUs / load.responses,
      p50Ms: load.p50Ms,
      p99Ms: load.p99Ms,
      settlesPer1000: (settles / load.responses) * 1_000,
      coresOfOthers: Math.max(0, busyUs - ownUs) / tookUs,
    }))
  }

  async stop(): Promise<void> {
    // Skips the servers that a partly failed start did not create.
    await Promise.all([...this.#processes.filter((server) => server !== undefined), this.#generator].map(stop))
  }

  async #counters(): Promise<ReadonlyArray<Counters>> {
    return Promise.all(this.#processes.map((server) => ask<object, Counters>(server, {}, 10_000)))
  }
}

export const compare = async (comparison: Comparison, flags: Flags) => {
  const sets: Array<Array<ReadonlyArray<Round>>> = []
  const deadlineUs = monotonicUs() + PATIENCE_US
  let discarded = 0
  for (let number = 0; number < flags.sets; number++) {
    const set = new MeasuredSet(flags)
    const turns: Array<ReadonlyArray<Round>> = []
    sets.push(turns)
    try {
      await set.start(comparison)
      for (let round = 0; round < flags.rounds; ) {
        const wanted =
          flags.calmShare !== undefined && (await calm(flags.calmShare, deadlineUs)) ? flags.calmShare : Number.POSITIVE_INFINITY
        const turn = await set.measure(flags.seconds)
        for (const [index, measured] of turn.entries()) {
          process.stderr.write(`${comparison.crowd} ${comparison.database} ${comparison.meterings[index]} ${describe(measured)}\n`)
        }
        // The CPU time of other processes decides, not the result.
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
  const isBase = (server: number) => comparison.meterings[server] === comparison.meterings[0]
  return {
    ...comparison,
    discarded,
    servers: comparison.meterings.map((metering, index) => ({ metering, ...summary(sets, index, isBase) })),
  }
}

const describe = ({ rps, serverCpuUs, p99Ms, coresOfOthers }: Round): string =>
  `${Math.round(rps)}/s, ${serverCpuUs.toFixed(1)} us, p99 ${p99Ms} ms, others ${coresOfOthers.toFixed(2)}`

/**
 * Ratios are computed against the mean of the base servers of the same set. Processes of the same code differ by
 * several hundredths for their whole lifetime, because V8 decides while they start what it compiles and where it
 * allocates. Therefore the number of sets matters, not their duration. Work that a server does after its slice lowers
 * the rate of the others, but counts as its own CPU time.
 */
const summary = (sets: ReadonlyArray<ReadonlyArray<ReadonlyArray<Round>>>, index: number, isBase: (server: number) => boolean) => {
  const rounds = sets.flatMap((turns) => turns.flatMap((turn) => turn[index] ?? []))
  const of = (name: keyof Round, digits: number) => rounded(median(rounds.map((round) => round[name])), digits)
  const against = (name: "rps" | "serverCpuUs", power: 1 | -1) => {
    const meanOf = (turns: ReadonlyArray<ReadonlyArray<Round>>, isWanted: (server: number) => boolean) =>
      mean(turns.flatMap((turn) => turn.filter((_, server) => isWanted(server)).map((round) => round[name])))
    const ratioIn = (turns: ReadonlyArray<ReadonlyArray<Round>>) =>
      (meanOf(turns, (server) => server === index) / meanOf(turns, isBase)) ** power
    const [ratio, error] = meanAndError(sets.map(ratioIn))
    return { ratio: rounded(ratio, 3), standardError: rounded(error, 3) }
  }
  return {
    rps: of("rps", 0),
    /** Ratio of requests per second to the base. The bar is 0.95. */
    rate: against("rps", 1),
    /** The same ratio by CPU per request: what it would be if only the server's own work counted. */
    cpu: against("serverCpuUs", -1),
    sets: sets.length,
    rounds: rounds.length,
    cpuUsPerRequest: of("serverCpuUs", 1),
    p50Ms: of("p50Ms", 2),
    p99Ms: of("p99Ms", 2),
    // The mean, because many accounts take leases at the same time, and then none does for many rounds.
    ledgerRoundTripsPer1000: rounded(rounds.reduce((sum, { settlesPer1000 }) => sum + settlesPer1000, 0) / rounds.length, 2),
    /** Cores that other processes used meanwhile, including PostgreSQL. */
    coresOfOthers: of("coresOfOthers", 2),
  }
}
