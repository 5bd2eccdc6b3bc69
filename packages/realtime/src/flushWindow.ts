/**
 * How long frames may wait for each other, by how busy the process is. The price of a delivery is the send call, not the bytes: frames that
 * leave together share it. While the loop has time to spare every frame leaves at once.
 */

/** Longest wait, ms. */
export const MAX_WINDOW_MS = 20

/** Share of time the loop was busy, below which nothing waits, and from which on the wait is longest. */
const IDLE = 0.35
const BUSY = 0.55

/** `utilization` 0..1. */
export const flushWindowMs = (utilization: number): number =>
  Math.round(Math.min(1, Math.max(0, (utilization - IDLE) / (BUSY - IDLE))) * MAX_WINDOW_MS)

/** A quarter of the newest reading: one busy moment does not make frames wait, and a wait, which makes the loop calmer, does not swing. */
export const smoothed = (before: number, reading: number): number => before + (reading - before) / 4
