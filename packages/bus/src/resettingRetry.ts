/** Retries with a delay that doubles after each consecutive failure and resets after an attempt that ran long enough. */
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { Clock, Effect } from "effect"

export interface RetryWaits {
  readonly firstMs: number
  /** An attempt that ran longer than this resets the delay to `firstMs`. */
  readonly longestMs: number
}

/** Retries without a limit, for work that runs until its scope closes. Defects are not retried. */
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
