/**
 * A timeout for answers of other processes that does not count the time during which this process was busy. If thousands
 * of clients connect at once, the event loop may not read an answer for seconds, although it arrived in milliseconds.
 * With a usual timeout, the process would then consider the other one down, and reject everybody.
 */
import { Cause, Duration, Effect } from "effect"

/** The limit is the sum of this many waits. A wait that ends late because the event loop was busy counts as one. */
const STEPS = 4

/** Fails with a `TimeoutError` after `limit`, or later if the event loop was busy. */
export const timeoutAwake =
  (limit: Duration.Input) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | Cause.TimeoutError, R> => {
    const duration = Duration.fromInputUnsafe(limit)
    const countdown = Effect.repeat(Effect.sleep(Duration.millis(Duration.toMillis(duration) / STEPS)), { times: STEPS - 1 })
    const expired = Effect.fail(new Cause.TimeoutError(`no answer within ${Duration.format(duration)}`))
    return Effect.raceFirst(effect, Effect.andThen(countdown, expired))
  }
