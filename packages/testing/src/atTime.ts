/**
 * Runs an effect with a clock that shows another time but waits as usual. For code that reads the time beside a
 * connection pool: if the test clock jumped, the pool would treat its connections as idle for years.
 */
import { Clock, Effect } from "effect"

/** `now`: epoch ms. */
export const atTime =
  (now: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.clockWith((clock) => {
      const then: Clock.Clock = {
        currentTimeMillisUnsafe: () => now,
        currentTimeMillis: Effect.succeed(now),
        currentTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
        currentTimeNanos: Effect.succeed(BigInt(now) * 1_000_000n),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: (duration) => clock.sleep(duration),
      }
      return Effect.provideService(effect, Clock.Clock, then)
    })
