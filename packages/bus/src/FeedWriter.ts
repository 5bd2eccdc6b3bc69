/**
 * The one way into FEED and DIRECTORY: every service that reports facts uses it. It owns subjects, message ids and retries. What a fact
 * is, whether it fits the match and who may report it is decided before.
 */
import { encodeAnnouncement, encodeEvent } from "@matchpoint/contracts/bus/feed"
import { DIRECTORY, directorySubject, FEED, feedMessageId, feedSubject } from "@matchpoint/contracts/bus/subjects"
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { Clock, Context, Effect, Layer, Option, Schedule } from "effect"
import { type Appended, EventLog, LogError } from "./EventLog.ts"

/** After 50 ms, 100 ms, ... 1.6 s: about three seconds in all, short enough for a sender to wait. */
const backoff = Schedule.exponential("50 millis")
const RETRIES = 6

/** Attempts and waits of one append together, whatever the driver does. */
const TOTAL_LIMIT = "10 seconds"

/**
 * An append, tried again while the log is away, for 10 seconds at most. It is interrupted then even where its caller must not be, and may
 * have happened all the same.
 */
export const persistently = (attempt: Effect.Effect<Appended, LogError>): Effect.Effect<Appended, LogError> =>
  Effect.retry(attempt, { schedule: backoff, times: RETRIES, while: (error) => error.retryable }).pipe(
    Effect.interruptible,
    Effect.timeoutOrElse({ duration: TOTAL_LIMIT, orElse: () => Effect.fail(tooLate) }),
  )

const tooLate = new LogError({
  operation: "append",
  target: FEED,
  reason: "Unavailable",
  retryable: true,
  detail: `the log has not taken the record within ${TOTAL_LIMIT}; append it again`,
})

export class FeedWriter extends Context.Service<
  FeedWriter,
  {
    /**
     * Durable when it returns. The same fact of the same feed is appended once within the log's dedupe window; two feeds may use the same
     * ids. A failure may have happened all the same: append the fact again.
     */
    readonly append: (event: GameEvent) => Effect.Effect<Appended, LogError>
    /** Makes the match known to the services that run matches. Announcing it again does nothing. */
    readonly announce: (matchId: MatchId) => Effect.Effect<Appended, LogError>
    /** Whether the match was announced: facts of one that was not would be read by no service. */
    readonly isAnnounced: (matchId: MatchId) => Effect.Effect<boolean, LogError>
  }
>()("@matchpoint/bus/FeedWriter") {
  static readonly layer = Layer.effect(
    FeedWriter,
    Effect.gen(function* () {
      const log = yield* EventLog
      const clock = yield* Clock.Clock
      return FeedWriter.of({
        // Hot path: no span and no generator per fact.
        append: (event) =>
          persistently(log.append(feedSubject(event.matchId), feedMessageId(event.matchId, event.id, event.source), encodeEvent(event))),
        announce: (matchId) =>
          Effect.suspend(() => {
            const announcedAt = Math.floor(clock.currentTimeMillisUnsafe())
            return persistently(log.append(directorySubject(matchId), matchId, encodeAnnouncement({ matchId, announcedAt })))
          }),
        isAnnounced: (matchId) => Effect.map(log.last(DIRECTORY, directorySubject(matchId)), Option.isSome),
      })
    }),
  )
}
