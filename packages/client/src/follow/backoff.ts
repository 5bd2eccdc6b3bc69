/**
 * Returns the delay before the next connection attempt, in milliseconds. The delay doubles with each failure, up to a
 * limit. Its second half is random, so that clients that were disconnected together do not reconnect together.
 * `failures` starts at 0; `random` is a random number from 0 to 1.
 */
export const backoffMs = (
  failures: number,
  random: number,
  limits: { readonly baseDelayMs: number; readonly maxDelayMs: number },
): number => Math.round(Math.min(limits.maxDelayMs, limits.baseDelayMs * 2 ** Math.min(failures, 20)) * (0.5 + random / 2))
