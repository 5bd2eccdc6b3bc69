/** Runs work repeatedly for as long as its scope is open. */
import { Cause, Effect } from "effect"

const PAUSE_AFTER_DEFECT = "1 second"

/**
 * Repeats `turn`. If `turn` dies with an unexpected error, the error is logged and `turn` is repeated after a pause.
 * Otherwise, a single error would silently end work such as heartbeats or deliveries for all clients.
 */
export const repeatedly = <A, E, R>(what: string, turn: Effect.Effect<A, E, R>) =>
  turn.pipe(
    Effect.catchCauseIf(Cause.hasDies, (cause) =>
      Effect.andThen(Effect.logError(`${what} failed; trying again`, cause), Effect.sleep(PAUSE_AFTER_DEFECT)),
    ),
    Effect.forever,
    Effect.forkScoped,
  )
