/** When a webhook delivery is attempted again, and when its subscription is disabled. */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Delay before each retry, in milliseconds. After the last of them has failed, the subscription is disabled. */
export const RETRY_DELAYS_MS: ReadonlyArray<number> = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 24 * HOUR_MS]

/** Number of failed attempts after which a warning is logged: one retry is left. */
export const warningAfter = (delaysMs: ReadonlyArray<number>): number => delaysMs.length

/** Share of a delay by which it may be longer, so that the retries of many deliveries do not arrive together. */
const JITTER = 0.1

/** Result of an attempt, as far as the schedule depends on it. `status` is undefined if there was no response. */
export interface AttemptResult {
  readonly status: number | undefined
  /** Value of the response header `Retry-After` in seconds. */
  readonly retryAfterSeconds: number | undefined
}

export type Verdict =
  | { readonly _tag: "Delivered" }
  /** `failures` is the number of failed attempts so far, and `dueAt` the time of the next one, epoch ms. */
  | { readonly _tag: "Retry"; readonly failures: number; readonly dueAt: number }
  /** The delivery has failed, and its subscription must be disabled. */
  | { readonly _tag: "Disable"; readonly reason: "failures" | "gone" }

/**
 * Decides what follows an attempt. `failures` is the number of earlier failed attempts of the delivery, `now` the end of
 * the attempt in epoch ms, and `random` a number from 0 to 1 for the jitter. `delaysMs` has one delay per retry. A response with any status 2xx is a
 * success. Status 410 disables the subscription at once. `Retry-After` can only make the delay longer.
 */
export const verdictOf = (
  { retryAfterSeconds = 0, status }: AttemptResult,
  failures: number,
  now: number,
  random: number,
  delaysMs: ReadonlyArray<number> = RETRY_DELAYS_MS,
): Verdict => {
  if (status !== undefined && status >= 200 && status < 300) return { _tag: "Delivered" }
  if (status === 410) return { _tag: "Disable", reason: "gone" }
  const delay = delaysMs[failures]
  if (delay === undefined) return { _tag: "Disable", reason: "failures" }
  const waitMs = Math.max(delay * (1 + JITTER * random), retryAfterSeconds * 1000)
  return { _tag: "Retry", failures: failures + 1, dueAt: Math.ceil(now + waitMs) }
}
