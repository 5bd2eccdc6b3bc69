/**
 * What becomes of a match's write that the store refuses for its content: it is tried two times more, then parked until an operator asks for
 * another attempt. Failures that may pass are the caller's, as before.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { ParkedMatches, type ParkedWork } from "@matchpoint/store/live/ParkedMatches"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect, Metric, Schedule } from "effect"

export const writesParked = Metric.counter("matchpoint_match_writes_parked_total", {
  description: "Times a match's write was parked because the store refuses its content",
  incremental: true,
})

/** A constraint may have been broken by a race: the next attempt then succeeds. */
const attempts = { schedule: Schedule.spaced("200 millis"), times: 2 } as const

const isPermanent = (error: StoreError): boolean => error.isPermanent

/**
 * Does the write, or parks it. Returns whether it was done. One that was parked before is done with when it succeeds. The write must be one that
 * may be done again: after a crash between it and the end of its parking, it is.
 */
export const doOrPark = Effect.fnUntraced(function* <R>(matchId: MatchId, work: ParkedWork, write: Effect.Effect<void, StoreError, R>) {
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
            `${matchId}: its ${work} cannot be stored and is parked; see \`npm run admin -- parked list\`, mend the cause, then \`parked retry ${matchId}\``,
            error,
          ),
        ),
      ).pipe(Effect.as(false)),
    ),
  )
})

/** As `doOrPark`, unless the write is parked and waits for an operator. */
export const doUnlessParked = Effect.fnUntraced(function* <R>(
  matchId: MatchId,
  work: ParkedWork,
  write: Effect.Effect<void, StoreError, R>,
) {
  const parked = yield* ParkedMatches
  if (yield* parked.isWaiting(matchId, work)) return
  yield* doOrPark(matchId, work, write)
})
