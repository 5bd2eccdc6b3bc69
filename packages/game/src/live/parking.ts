/**
 * Handles writes of a match that the database rejects because of their content. Such a write is tried two more times and
 * then parked: not tried again until an operator requests it. Temporary failures of the database are returned to the
 * caller.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { ParkedMatches, type ParkedWork } from "@matchpoint/store/live/ParkedMatches"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect, Metric, Schedule } from "effect"

export const writesParked = Metric.counter("matchpoint_match_writes_parked_total", {
  description: "Times a match's write was parked because the store rejects its content",
  incremental: true,
})

/** Retries help if a concurrent write caused a constraint violation: the next attempt then succeeds. */
const attempts = { schedule: Schedule.spaced("200 millis"), times: 2 } as const

const isPermanent = (error: StoreError): boolean => error.isPermanent

/**
 * Returns true if the write succeeded, and false if it is now parked. Success removes its parked entry. The write must
 * be idempotent, because a crash before that removal causes it to run again.
 */
export const runOrPark = Effect.fnUntraced(function* <R>(matchId: MatchId, work: ParkedWork, write: Effect.Effect<void, StoreError, R>) {
  const parked = yield* ParkedMatches
  return yield* write.pipe(
    Effect.retry({ ...attempts, while: isPermanent }),
    Effect.andThen(parked.done(matchId, work)),
    Effect.as(true),
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
      ).pipe(Effect.as(false)),
    ),
  )
})

/** As `runOrPark`, but does nothing if the write is parked and waits for an operator. */
export const doUnlessParked = Effect.fnUntraced(function* <R>(
  matchId: MatchId,
  work: ParkedWork,
  write: Effect.Effect<void, StoreError, R>,
) {
  const parked = yield* ParkedMatches
  if (yield* parked.isWaiting(matchId, work)) return
  yield* runOrPark(matchId, work, write)
})
