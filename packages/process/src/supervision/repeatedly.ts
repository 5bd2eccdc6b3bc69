import { Cause, Effect } from "effect"

const PAUSE_AFTER_DEFECT = "1 second"

/**
 * Repeats `turn` while its scope is open. An unexpected error is logged, and `turn` is repeated after a pause.
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
