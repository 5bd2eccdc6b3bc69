/**
 * Appends facts to FEED and match announcements to DIRECTORY, with retries. The caller checks beforehand that the fact
 * is valid, fits the match and may be reported by this source.
 */
import { encodeAnnouncement, encodeEvent } from "@matchpoint/contracts/bus/feed"
import { DIRECTORY, directorySubject, FEED, feedMessageId, feedSubject } from "@matchpoint/contracts/bus/subjects"
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { Clock, Context, Effect, Layer, Option, Schedule } from "effect"
import { type Appended, EventLog, LogError } from "./EventLog.ts"

/** 50 ms, doubled up to 0.8 s: about 1.6 seconds in total if every attempt is rejected immediately. */
const backoff = Schedule.exponential("50 millis")
const RETRIES = 5

/** Limit of all attempts and delays together, on any driver, so that a sender receives status 503 within three seconds. */
const LOG_WAIT = "2500 millis"

/**
 * Retries a log request while the log is unavailable, for at most 2.5 seconds in total. Then it is interrupted, even in
 * an uninterruptible region, and fails. The record of a failed append may have been stored.
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
     * The fact is durable when this effect completes. Within the log's dedupe window, a fact with the same id from the
     * same feed is appended only once; different feeds may use the same ids. After a failure the fact may have been
     * stored, so repeat the append.
     */
    readonly append: (event: GameEvent) => Effect.Effect<Appended, LogError>
    /** Announces the match to the services that process matches. Idempotent. */
    readonly announce: (matchId: MatchId) => Effect.Effect<Appended, LogError>
    /** Until a match is announced, no service reads its facts. */
    readonly isAnnounced: (matchId: MatchId) => Effect.Effect<boolean, LogError>
  }
>()("@matchpoint/bus/FeedWriter") {
  static readonly layer = Layer.effect(
    FeedWriter,
    Effect.gen(function* () {
      const log = yield* EventLog
      const clock = yield* Clock.Clock
      return FeedWriter.of({
        // Runs for every fact: no tracing span and no generator.
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
