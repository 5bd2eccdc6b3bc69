/** When a webhook delivery is attempted again, and when its subscription is disabled. */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Delay before each retry. After the last one has failed, the subscription is disabled. */
export const RETRY_DELAYS_MS: ReadonlyArray<number> = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 24 * HOUR_MS]

/** Number of failures after which one retry is left. */
export const warningAfter = (delaysMs: ReadonlyArray<number>): number => delaysMs.length

/** Share by which a delay may be longer, so that the retries of many deliveries do not arrive together. */
const JITTER = 0.1

/** `status` is undefined if there was no response. */
export interface AttemptResult {
  readonly status: number | undefined
  /** Delay that the header `Retry-After` asks for. */
  readonly retryAfterSeconds: number | undefined
}

export type Verdict =
  | { readonly _tag: "Delivered" }
  /** `failures` counts the failed attempts so far; `dueAt` is epoch ms. */
  | { readonly _tag: "Retry"; readonly failures: number; readonly dueAt: number }
  /** The delivery has failed, and its subscription must be disabled. */
  | { readonly _tag: "Disable"; readonly reason: "failures" | "gone" }

/**
 * `failures` counts the earlier failed attempts, `now` is the end of the attempt in epoch ms, `random` 0 to 1 for the
 * jitter. `delaysMs` has one delay per retry. Any status 2xx is a success. Status 410 disables the subscription at
 * once. `Retry-After` can only make the delay longer.
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
