/**
 * Milliseconds until the next connection attempt. They double with each failure, up to a limit. The second half is
 * random (`random` is 0 to 1), so that clients that were disconnected together do not reconnect together. `failures`
 * starts at 0.
 */
export const backoffMs = (
  failures: number,
  random: number,
  limits: { readonly baseDelayMs: number; readonly maxDelayMs: number },
): number => Math.round(Math.min(limits.maxDelayMs, limits.baseDelayMs * 2 ** Math.min(failures, 20)) * (0.5 + random / 2))
