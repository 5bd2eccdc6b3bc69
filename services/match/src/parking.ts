/**
 * Handles a match's write that the store rejects because of its content. The write is tried two more times, then parked
 * until an operator requests another attempt. Temporary failures are returned to the caller.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { ParkedMatches, type ParkedWork } from "@matchpoint/store/live/ParkedMatches"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect, Metric, Schedule } from "effect"

export const writesParked = Metric.counter("matchpoint_match_writes_parked_total", {
  description: "Times a match's write was parked because the store rejects its content",
  incremental: true,
})

/** A race may have violated a constraint. In that case the next attempt succeeds. */
const attempts = { schedule: Schedule.spaced("200 millis"), times: 2 } as const

const isPermanent = (error: StoreError): boolean => error.isPermanent

/**
 * Runs the write and parks it if the store rejects its content. A successful write that was parked before is removed
 * from the parked ones.
 */
export const doOrPark = Effect.fnUntraced(function* <R>(matchId: MatchId, work: ParkedWork, write: Effect.Effect<void, StoreError, R>) {
  const parked = yield* ParkedMatches
  yield* write.pipe(
    Effect.retry({ ...attempts, while: isPermanent }),
    Effect.andThen(parked.done(matchId, work)),
    Effect.catchIf(isPermanent, (error) =>
      Effect.andThen(
        parked.park(matchId, work, error),
        Effect.andThen(
          Metric.update(writesParked, 1),
          Effect.logError(
            `${matchId}: its ${work} cannot be stored and is parked; see \`npm run admin -- parked list\`, fix the cause, then run \`parked retry ${matchId}\``,
            error,
          ),
        ),
      ),
    ),
  )
})

/** Like `doOrPark`, but does nothing if the write is parked and waits for an operator. */
export const doUnlessParked = Effect.fnUntraced(function* <R>(
  matchId: MatchId,
  work: ParkedWork,
  write: Effect.Effect<void, StoreError, R>,
) {
  const parked = yield* ParkedMatches
  if (yield* parked.isWaiting(matchId, work)) return
  yield* doOrPark(matchId, work, write)
})
