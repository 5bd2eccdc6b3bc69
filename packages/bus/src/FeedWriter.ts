/**
 * Writes to the log for every service that reports match data: appends facts (events reported by a feed) to the FEED
 * stream, and match announcements to the DIRECTORY stream. Chooses subjects and message ids, and retries failed
 * appends. The caller must check beforehand that the fact is valid, fits the match and may be reported by this source.
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
 * Maximum time for all attempts and delays together, whichever driver is used. It ensures that a sender receives status
 * 503 within three seconds.
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
     * Appends a fact (an event reported by a feed). The fact is durable when this effect completes. Within the log's
     * dedupe window, a fact with the same id from the same feed is appended only once; different feeds may use the same
     * ids. After a failed append it is uncertain whether the fact was stored, so the caller should repeat the append.
     */
    readonly append: (event: GameEvent) => Effect.Effect<Appended, LogError>
    /** Announces the match to the services that process matches. Announcing a match again has no effect. */
    readonly announce: (matchId: MatchId) => Effect.Effect<Appended, LogError>
    /** Returns true if the match was announced. Until then, no service reads its facts (events reported by a feed). */
    readonly isAnnounced: (matchId: MatchId) => Effect.Effect<boolean, LogError>
  }
>()("@matchpoint/bus/FeedWriter") {
  static readonly layer = Layer.effect(
    FeedWriter,
    Effect.gen(function* () {
      const log = yield* EventLog
      const clock = yield* Clock.Clock
      return FeedWriter.of({
        // This code runs for every fact, so for speed it creates no tracing span and no generator.
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
