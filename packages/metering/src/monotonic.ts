/** Monotonic time in milliseconds, for measuring durations. */
import type { Clock } from "effect"

/**
 * Returns a function for the milliseconds since an arbitrary start. They never jump, even if the wall clock does. Costs
 * about 60 ns per call.
 */
export const monotonicOf = (clock: Clock.Clock) => (): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
