// Owns waiting for something that happens on the other side of a socket, where no test clock reaches.
import { Effect } from "effect"

/** Looks every few milliseconds until the condition holds; dies when it does not in time. */
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

/** Lets real time pass, to see that something does not happen. */
export const awhile = (milliseconds: number): Effect.Effect<void> =>
  Effect.promise(() => new Promise((resolve) => setTimeout(resolve, milliseconds)))
