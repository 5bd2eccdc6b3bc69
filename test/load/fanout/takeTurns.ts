// Owns the order of the measurement: the servers take turns A B C D A B C D, so that a drift of the machine affects all
// of them.
import { calm } from "../lib/calm.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import type { Flags } from "./flags.ts"
import { type Load, measureRound, type Round } from "./measureRound.ts"
import type { VariantName } from "./orders.ts"

export interface Turns {
  readonly rounds: ReadonlyMap<VariantName, ReadonlyArray<Round>>
  /** Rounds that were discarded because other processes disturbed them. */
  readonly discarded: number
}

/** Maximum time to wait for a calm machine. */
const PATIENCE_US = 10 * 60 * 1e6

/**
 * Measures the rounds. With `calmShare`, each round waits until other processes use less than that share of a core, and
 * is repeated if they used more while it ran. The CPU time of other processes decides, not the result. Once the maximum
 * waiting time is over, every round counts, and the report states the CPU time of other processes.
 */
export const takeTurns = async ({ variants, rounds: count, calmShare, execArgv }: Flags, load: Load): Promise<Turns> => {
  const rounds = new Map<VariantName, Array<Round>>(variants.map((name) => [name, []]))
  const deadlineUs = monotonicUs() + PATIENCE_US
  let discarded = 0
  for (let turn = 0; turn < count; turn++) {
    for (const name of variants) {
      let round: Round | undefined
      while (round === undefined) {
        const wanted = calmShare !== undefined && (await calm(calmShare, deadlineUs)) ? calmShare : Number.POSITIVE_INFINITY
        const measured = await measureRound(name, load, execArgv)
        process.stderr.write(`${name} ${load.rate}/s ${describe(measured)}\n`)
        if (measured.othersCpuShare <= wanted) round = measured
        else discarded++
      }
      rounds.get(name)?.push(round)
    }
  }
  return { rounds, discarded }
}

const describe = ({ cpuUsPerFrame, p99Ms, lastP99Ms, othersCpuShare, lost }: Round): string =>
  `${cpuUsPerFrame.toFixed(2)} us per frame, p99 ${p99Ms} ms, last of all ${lastP99Ms} ms, lost ${lost}, others ${othersCpuShare.toFixed(2)}`
