/** Retries that slow down while failures follow each other, and begin anew after an attempt that went well for a while. */
import { Clock, Effect } from "effect"

export interface RetryWaits {
  /** Wait after the first failure, ms. It doubles with each further one. */
  readonly firstMs: number
  /** Longest wait, ms. An attempt that ran for longer than this was a good one: the wait after it is the first again. */
  readonly longestMs: number
}

/** Runs the effect again whenever it fails, forever; defects pass. For work that is meant to run for as long as its scope. */
export const resettingRetry =
  ({ firstMs, longestMs }: RetryWaits) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const nowMs = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
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
