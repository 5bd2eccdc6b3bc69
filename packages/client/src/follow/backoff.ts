/** How long to wait before another attempt to connect. */

/**
 * Doubles with each failure, up to a limit; between half and all of it by chance, so that clients that were
 * thrown out together do not come back together. `failures` counts from 0, `random` is 0..1.
 */
export const backoffMs = (
  failures: number,
  random: number,
  limits: { readonly baseDelayMs: number; readonly maxDelayMs: number },
): number => Math.round(Math.min(limits.maxDelayMs, limits.baseDelayMs * 2 ** Math.min(failures, 20)) * (0.5 + random / 2))
