/**
 * Measures how late this process is, because its machine is busy or its event loop is blocked. Deadlines that fit a calm
 * machine are wrong for a process that is late itself: it would take its own delay for a failure of others.
 */
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { Clock, Effect, type Scope } from "effect"

const LOOK_EVERY_MS = 50
/** A delay counts for this long, in milliseconds. */
const REMEMBERED_MS = 10_000

/** Returns a function that returns the longest delay of the last ten seconds, in milliseconds. */
export const schedulingDelay: Effect.Effect<() => number, never, Scope.Scope> = Effect.gen(function* () {
  const now = monotonicOf(yield* Clock.Clock)
  let worst = { delayMs: 0, at: now() }
  let due = now() + LOOK_EVERY_MS
  const look = Effect.sync(() => {
    const at = now()
    const delayMs = Math.max(0, at - due)
    if (delayMs >= worst.delayMs || at - worst.at > REMEMBERED_MS) worst = { delayMs, at }
    due = at + LOOK_EVERY_MS
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(LOOK_EVERY_MS), look)))
  // If the process is late at this moment, the timer has not run yet.
  return () => Math.max(worst.delayMs, now() - due)
})
