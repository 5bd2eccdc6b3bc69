/** Clock, timers and randomness of a follower. */

export interface Timing {
  /** Wall-clock time in milliseconds since the Unix epoch. It may jump. */
  readonly epochMs: () => number
  /** 0 to 1. */
  readonly random: () => number
  /** The result returns the milliseconds since the start. Setting the wall clock back does not shorten them. */
  readonly startStopwatch: () => () => number
  /** Calls `action` once after `ms` milliseconds, or 24 days if that is less, never during the call itself, unless the result is called before. */
  readonly after: (ms: number, action: () => void) => () => void
}

const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Stopwatches include the time during which the computer slept, which the monotonic clocks of some browsers leave out.
 */
export const platformTiming: Timing = {
  epochMs: () => Date.now(),
  random: () => Math.random(),
  startStopwatch: () => {
    const monotonicStart = performance.now()
    // biome-ignore lint/plugin: only the wall clock runs while the computer sleeps
    const wallStart = Date.now()
    // biome-ignore lint/plugin: as above
    return () => Math.max(performance.now() - monotonicStart, Date.now() - wallStart)
  },
  after: (ms, action) => {
    // A longer time would end at once.
    const timer = setTimeout(action, Math.min(ms, MAX_TIMER_MS))
    return () => clearTimeout(timer)
  },
}
