/**
 * Determines how long frames may be held back in order to be sent in one batch, depending on how busy the process is.
 * Batching saves time because the cost of a delivery lies in the send call and not in the bytes, and a batch needs only
 * one call. While the event loop has spare time, every frame is sent at once.
 */

/** Maximum time for which frames are held back, in milliseconds. */
export const MAX_WINDOW_MS = 20

/**
 * Utilization of the event loop, from 0 to 1, at which frames begin to be delayed (`IDLE`) and from which on they are
 * delayed for the maximum time (`BUSY`). In between, the delay grows.
 */
const IDLE = 0.35
const BUSY = 0.55

/** Returns how long frames are held back, in milliseconds, at an event loop `utilization` from 0 to 1. */
export const flushWindowMs = (utilization: number): number =>
  Math.round(Math.min(1, Math.max(0, (utilization - IDLE) / (BUSY - IDLE))) * MAX_WINDOW_MS)

/**
 * Smooths the utilization of the event loop: the newest reading has a weight of one quarter. As a result, a single busy
 * moment does not delay frames. The smoothing also prevents oscillation, because a delay makes the event loop less
 * busy.
 */
export const smoothed = (before: number, reading: number): number => before + (reading - before) / 4
