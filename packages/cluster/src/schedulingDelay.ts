/**
 * Measures how late this process is, because its machine is busy or its event loop is blocked. With fixed deadlines, a
 * late process would take its own delay for a failure of others.
 */
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { Clock, Effect, type Scope } from "effect"

const LOOK_EVERY_MS = 50
/** How long a delay counts. */
const REMEMBERED_MS = 10_000

/** Longest delay of the last ten seconds, in milliseconds. */
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
