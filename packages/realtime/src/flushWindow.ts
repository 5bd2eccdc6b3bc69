/**
 * How long frames may wait to be sent together, depending on how busy the process is. A delivery costs a send call
 * rather than bytes, and frames sent together share one call. While the event loop has spare time, every frame is sent
 * at once.
 */

/** Maximum wait in milliseconds. */
export const MAX_WINDOW_MS = 20

/** Utilization of the event loop, 0 to 1. Up to `IDLE` nothing waits; from `BUSY` on, the wait is longest. */
const IDLE = 0.35
const BUSY = 0.55

/** Returns the wait in milliseconds for a `utilization` of 0 to 1. */
export const flushWindowMs = (utilization: number): number =>
  Math.round(Math.min(1, Math.max(0, (utilization - IDLE) / (BUSY - IDLE))) * MAX_WINDOW_MS)

/**
 * Weights the newest reading with a quarter. A single busy moment then does not delay frames. It also prevents
 * oscillation, because a wait makes the loop less busy.
 */
export const smoothed = (before: number, reading: number): number => before + (reading - before) / 4
