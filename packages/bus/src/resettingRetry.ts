/**
 * Retries an effect with a delay that doubles after each consecutive failure. After an attempt that ran long enough
 * before it failed, the delay resets.
 */
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { Clock, Effect } from "effect"

export interface RetryWaits {
  /** Delay after the first failure, in milliseconds. It doubles with each further failure. */
  readonly firstMs: number
  /** Longest delay, in milliseconds. After an attempt that ran longer than this, the delay resets to `firstMs`. */
  readonly longestMs: number
}

/**
 * Runs the effect again whenever it fails, without a limit. Defects (unexpected exceptions) are not retried. Meant for
 * work that runs until its scope closes.
 */
export const resettingRetry =
  ({ firstMs, longestMs }: RetryWaits) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> =>
    Effect.gen(function* () {
      const nowMs = monotonicOf(yield* Clock.Clock)
      let waitMs = firstMs
      for (;;) {
        const beganAt = nowMs()
        const result = yield* Effect.result(work)
        if (result._tag === "Success") return result.success
        if (nowMs() - beganAt > longestMs) waitMs = firstMs
        yield* Effect.sleep(waitMs)
        waitMs = Math.min(longestMs, waitMs * 2)
      }
    })
