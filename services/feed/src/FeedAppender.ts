/**
 * Facts into FEED, matches into the directory and quotes into ODDS, each once however often it is tried. It owns retrying; what a fact is and who may
 * tell it is decided before.
 */
import { type Appended, EventLog, type LogError } from "@matchpoint/bus/EventLog"
import { encodeAnnouncement } from "@matchpoint/contracts/bus/feed"
import { directorySubject, feedMessageId, feedSubject } from "@matchpoint/contracts/bus/subjects"
import { encodeFeedEvent } from "@matchpoint/contracts/cs2/feed"
import { encodeMarketQuoted, type MarketQuoted, marketQuotedId, oddsSubject } from "@matchpoint/contracts/cs2/odds"
import type { FeedEvent } from "@matchpoint/domain/cs2/feedEvents"
import type { MatchId } from "@matchpoint/domain/ids"
import { Clock, Context, Effect, Layer, Schedule } from "effect"

/** After 50 ms, 100 ms, ... 1.6 s: about three seconds in all, short enough for a sender to wait. */
const backoff = Schedule.exponential("50 millis")
const RETRIES = 6

export class FeedAppender extends Context.Service<
  FeedAppender,
  {
    /** Durable when it returns. A failure may have happened all the same: append the same fact again. */
    readonly append: (event: FeedEvent) => Effect.Effect<Appended, LogError>
    /** Makes the match known to the services that run matches; they do not mind hearing of it again. */
    readonly announce: (match: MatchId) => Effect.Effect<Appended, LogError>
    readonly quote: (quoted: MarketQuoted) => Effect.Effect<Appended, LogError>
  }
>()("@matchpoint/service-feed/FeedAppender") {
  static readonly layer = Layer.effect(
    FeedAppender,
    Effect.gen(function* () {
      const log = yield* EventLog
      const clock = yield* Clock.Clock

      const persistently = (attempt: Effect.Effect<Appended, LogError>) =>
        Effect.retry(attempt, { schedule: backoff, times: RETRIES, while: (error) => error.retryable })

      return FeedAppender.of({
        // Hot path: no span and no generator per fact.
        append: (event) =>
          persistently(
            log.append(feedSubject(event.matchId), feedMessageId(event.matchId, event.id, event.source), encodeFeedEvent(event)),
          ),
        quote: (quoted) => persistently(log.append(oddsSubject, marketQuotedId(quoted), encodeMarketQuoted(quoted))),
        announce: (matchId) =>
          Effect.suspend(() => {
            const announcedAt = Math.floor(clock.currentTimeMillisUnsafe())
            return persistently(log.append(directorySubject(matchId), matchId, encodeAnnouncement({ matchId, announcedAt })))
          }),
      })
    }),
  )
}
