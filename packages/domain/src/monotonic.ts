/** Monotonic time in milliseconds, for measuring durations. */
import type { Clock } from "effect"

/**
 * Returns a function that returns the time in milliseconds since an arbitrary start. The time never jumps, even if the
 * wall clock is changed. A call costs about 60 ns.
 */
export const monotonicOf = (clock: Clock.Clock) => (): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
