/**
 * A timeout that does not count the time during which this process was busy. If thousands of clients connect at once,
 * the event loop may not read an answer for seconds, although it arrived in milliseconds. A usual timeout would then
 * declare the other process down and reject all clients.
 */
import { Cause, Duration, Effect } from "effect"

/** Number of waits in the limit. A wait that ends late because the event loop was busy counts as one. */
const STEPS = 4

/** Fails with a `TimeoutError` after `limit`, or later if the event loop was busy. Frequent callers keep the function. */
export const timeoutAwake = (limit: Duration.Input) => {
  const duration = Duration.fromInputUnsafe(limit)
  const wait = Effect.sleep(Duration.millis(Duration.toMillis(duration) / STEPS))
  const expired = Effect.fail(new Cause.TimeoutError(`no answer within ${Duration.format(duration)}`))
  let countdown: Effect.Effect<never, Cause.TimeoutError> = expired
  for (let step = 0; step < STEPS; step++) countdown = Effect.andThen(wait, countdown)
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | Cause.TimeoutError, R> => Effect.raceFirst(effect, countdown)
}
