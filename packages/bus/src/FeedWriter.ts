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

/** After 50 ms, 100 ms, ... 0.8 s: a log that refuses at once is asked for 1.6 seconds. */
const backoff = Schedule.exponential("50 millis")
const RETRIES = 5

/** Attempts and waits together, whatever the driver does: a sender gets its 503 within three seconds. */
const LOG_WAIT = "2500 millis"

/**
 * Repeats a request to the log while the log is away, for 2.5 seconds at most. It is interrupted then even in an uninterruptible region. An
 * append may have happened all the same.
 */
export const withinLogWait = <A>(attempt: Effect.Effect<A, LogError>): Effect.Effect<A, LogError> =>
  Effect.retry(attempt, { schedule: backoff, times: RETRIES, while: (error) => error.retryable }).pipe(
    Effect.interruptible,
    Effect.timeoutOrElse({ duration: LOG_WAIT, orElse: () => Effect.fail(tooLate) }),
  )

const tooLate = new LogError({
  operation: "append",
  target: FEED,
  reason: "Unavailable",
  retryable: true,
  detail: `the log has not answered within ${LOG_WAIT}; send the same again`,
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
          withinLogWait(log.append(feedSubject(event.matchId), feedMessageId(event.matchId, event.id, event.source), encodeEvent(event))),
        announce: (matchId) =>
          Effect.suspend(() => {
            const announcedAt = Math.floor(clock.currentTimeMillisUnsafe())
            return withinLogWait(log.append(directorySubject(matchId), matchId, encodeAnnouncement({ matchId, announcedAt })))
          }),
        isAnnounced: (matchId) => Effect.map(withinLogWait(log.last(DIRECTORY, directorySubject(matchId))), Option.isSome),
      })
    }),
  )
}
