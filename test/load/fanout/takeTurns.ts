// Owns the order of the measurement: the servers take turns A B C D A B C D, so that a noisy moment or a drifting clock rate hits all.
import { calm } from "../lib/calm.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import type { Measured, Round } from "./Measured.ts"
import type { VariantName } from "./orders.ts"

export interface Turns {
  readonly rounds: ReadonlyMap<VariantName, ReadonlyArray<Round>>
  /** Turns that were not counted because other processes disturbed them. */
  readonly discarded: number
}

/** How long a measurement that wants a calm machine goes on trying. */
const PATIENCE_US = 10 * 60 * 1e6

/**
 * Measures `count` turns of all servers. With `calmShare`, each turn waits until other processes use less than that share of a core,
 * and is discarded as a whole when they used more during the round of any server: what decides is others' CPU time, not the result.
 * Once patience is over the turns there are must do; when there are none, one is taken as it comes.
 */
export const takeTurns = async (running: ReadonlyArray<Measured>, count: number, calmShare: number | undefined): Promise<Turns> => {
  const rounds = new Map<VariantName, Array<Round>>(running.map(({ name }) => [name, []]))
  const deadlineUs = monotonicUs() + PATIENCE_US
  let counted = 0
  let discarded = 0
  while (counted < count) {
    const late = calmShare !== undefined && !(await calm(calmShare, deadlineUs))
    if (late && counted > 0) break
    const turn: Array<readonly [VariantName, Round]> = []
    for (const measured of running) turn.push([measured.name, await measured.round()])
    if (calmShare !== undefined && !late && turn.some(([, round]) => round.othersCpuShare > calmShare)) {
      discarded++
      continue
    }
    counted++
    for (const [name, round] of turn) rounds.get(name)?.push(round)
  }
  return { rounds, discarded }
}
