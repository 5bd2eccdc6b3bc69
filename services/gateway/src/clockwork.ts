/** Work that is done again and again for as long as its scope is open. */
import { Cause, Effect } from "effect"

const PAUSE_AFTER_DEFECT = "1 second"

/** A bug costs one turn and is logged; without that, one would end heartbeats or deliveries for everybody, without a word. */
export const repeatedly = <A, E, R>(what: string, turn: Effect.Effect<A, E, R>) =>
  turn.pipe(
    Effect.catchCauseIf(Cause.hasDies, (cause) =>
      Effect.andThen(Effect.logError(`${what} failed; going on`, cause), Effect.sleep(PAUSE_AFTER_DEFECT)),
    ),
    Effect.forever,
    Effect.forkScoped,
  )
