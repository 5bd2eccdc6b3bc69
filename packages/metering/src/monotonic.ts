/** Time for measuring, in the unit everything here counts in. */
import type { Clock } from "effect"

/**
 * Milliseconds since whenever that never jump, whatever becomes of the wall clock. Whole ones: objects hold them in place, where each
 * fraction would be an object of its own, far away in memory. About 60 ns a call.
 */
export const monotonicOf = (clock: Clock.Clock) => (): number => Math.floor(Number(clock.monotonicTimeNanosUnsafe()) / 1e6)
