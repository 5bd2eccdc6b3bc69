/** Time for measuring, in the unit everything here counts in. */
import type { Clock } from "effect"

/** Milliseconds since whenever that never jump, whatever becomes of the wall clock. About 60 ns a call. */
export const monotonicOf = (clock: Clock.Clock) => (): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
