/** Whether this process reaches the log. Without it, a process can neither read facts nor publish changes. */
import { EventLog } from "@matchpoint/bus/EventLog"
import { FEED } from "@matchpoint/contracts/bus/subjects"
import { Clock, Effect } from "effect"

/** How often the log is asked, and how long it may take to answer, in milliseconds. */
const ASK_EVERY_MS = 500
const ANSWERS_WITHIN_MS = 1_000
/** After this time without an answer, other processes should run the matches, in milliseconds. */
const GONE_AFTER_MS = 2_000

/** Returns a function that is true if the log has answered within the last two seconds. The log is asked until the scope closes. */
export const logReach = Effect.gen(function* () {
  const log = yield* EventLog
  const clock = yield* Clock.Clock
  const now = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  let answeredAt = now()
  yield* log.bounds(FEED).pipe(
    Effect.timeout(ANSWERS_WITHIN_MS),
    Effect.andThen(
      Effect.sync(() => {
        answeredAt = now()
      }),
    ),
    // The log's driver reports its failures.
    Effect.ignore,
    Effect.andThen(Effect.sleep(ASK_EVERY_MS)),
    Effect.forever,
    Effect.forkScoped,
  )
  return () => now() - answeredAt < GONE_AFTER_MS
})
