/**
 * Appends facts (events reported by a feed) to the stream FEED and match announcements to the stream DIRECTORY. Used by
 * every service that reports facts. It owns subjects, message ids and retries. Before a call, the caller checks that
 * the fact is valid, fits the match and may be reported by this source.
 */
import { encodeAnnouncement, encodeEvent } from "@matchpoint/contracts/bus/feed"
import { DIRECTORY, directorySubject, FEED, feedMessageId, feedSubject } from "@matchpoint/contracts/bus/subjects"
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { Clock, Context, Effect, Layer, Option, Schedule } from "effect"
import { type Appended, EventLog, LogError } from "./EventLog.ts"

/**
 * Delays between retries: 50 ms, 100 ms and so on, doubled each time up to 0.8 s. If every attempt is rejected
 * immediately, all retries together take about 1.6 seconds.
 */
const backoff = Schedule.exponential("50 millis")
const RETRIES = 5

/**
 * Maximum time for all attempts and delays together, with any driver. It ensures that a sender receives status 503
 * within three seconds.
 */
const LOG_WAIT = "2500 millis"

/**
 * Runs a log request and retries it while the log is unavailable, for at most 2.5 seconds in total. After that, the
 * request is interrupted, even in an uninterruptible region, and fails. The record of a failed append may nevertheless
 * have been stored.
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
  detail: `the log did not respond within ${LOG_WAIT}; send the same request again`,
})

export class FeedWriter extends Context.Service<
  FeedWriter,
  {
    /**
     * Appends a fact. The fact is durable when this effect completes. Within the log's dedupe window, the same fact of
     * the same feed is appended only once. Different feeds may use the same fact ids. If an append fails, repeat it,
     * because it is uncertain whether the fact was stored.
     */
    readonly append: (event: GameEvent) => Effect.Effect<Appended, LogError>
    /** Announces the match to the services that run matches. A second announcement has no effect. */
    readonly announce: (matchId: MatchId) => Effect.Effect<Appended, LogError>
    /** Returns true if the match was announced. No service reads the facts of a match that was not announced. */
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
