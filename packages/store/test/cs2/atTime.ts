/**
 * Does it as if it were then: the clock tells another time, and waits as it did. For code that asks what time it is, beside a pool of
 * connections that would take a jump of the test's own clock for years of idleness.
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
