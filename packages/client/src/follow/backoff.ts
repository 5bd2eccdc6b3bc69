/**
 * Wait before the next attempt to connect, ms. Doubles with each failure, up to a limit. The second half of it is random, so that clients
 * that lost their connections together do not return together. `failures` counts from 0, `random` is 0..1.
 */
export const backoffMs = (
  failures: number,
  random: number,
  limits: { readonly baseDelayMs: number; readonly maxDelayMs: number },
): number => Math.round(Math.min(limits.maxDelayMs, limits.baseDelayMs * 2 ** Math.min(failures, 20)) * (0.5 + random / 2))
