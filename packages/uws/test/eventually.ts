// Waits for events on the other side of a socket, which a test clock cannot control.
import { Effect } from "effect"

/** Checks the condition every few milliseconds until it holds. Dies if it does not in time. */
export const eventually = (what: string, condition: () => boolean, patienceMs = 10_000): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const started = performance.now()
    const look = () => {
      if (condition()) resume(Effect.void)
      else if (performance.now() - started > patienceMs) resume(Effect.die(new Error(`It did not happen in time: ${what}`)))
      else setTimeout(look, 5)
    }
    look()
  })

/** Waits in real time, to check that something does not happen. */
export const awhile = (milliseconds: number): Effect.Effect<void> =>
  Effect.promise(() => new Promise((resolve) => setTimeout(resolve, milliseconds)))
