/**
 * How long frames may be held back to be sent in one batch. A delivery costs its send call, not its bytes, and a batch
 * needs one call. While the event loop has spare time, every frame is sent at once.
 */

export const MAX_WINDOW_MS = 20

/**
 * Utilization of the event loop, 0 to 1, from which frames are delayed, and from which they are delayed for the maximum
 * time.
 */
const IDLE = 0.35
const BUSY = 0.55

/** `utilization` of the event loop, 0 to 1. */
export const flushWindowMs = (utilization: number): number =>
  Math.round(Math.min(1, Math.max(0, (utilization - IDLE) / (BUSY - IDLE))) * MAX_WINDOW_MS)

/**
 * The newest reading weighs a quarter, so a single busy moment does not delay frames. Prevents oscillation, because a
 * delay makes the event loop less busy.
 */
export const smoothed = (before: number, reading: number): number => before + (reading - before) / 4
