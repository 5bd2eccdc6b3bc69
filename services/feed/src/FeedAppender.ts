/**
 * Facts into FEED, matches into the directory and quotes into ODDS, each once however often it is tried. What a fact is and who may
 * report it is decided before.
 */
import { type Appended, EventLog, type LogError } from "@matchpoint/bus/EventLog"
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import { encodeMarketQuoted, type MarketQuoted, marketQuotedId, oddsSubject } from "@matchpoint/contracts/cs2/odds"
import { Context, Effect, Layer, Schedule } from "effect"

/** After 50 ms, 100 ms, ... 1.6 s, as for facts. */
const backoff = Schedule.exponential("50 millis")
const RETRIES = 6

export class FeedAppender extends Context.Service<
  FeedAppender,
  FeedWriter["Service"] & {
    readonly quote: (quoted: MarketQuoted) => Effect.Effect<Appended, LogError>
  }
>()("@matchpoint/service-feed/FeedAppender") {
  static readonly layer = Layer.effect(
    FeedAppender,
    Effect.gen(function* () {
      const log = yield* EventLog
      const writer = yield* FeedWriter
      return FeedAppender.of({
        ...writer,
        quote: (quoted) =>
          Effect.retry(log.append(oddsSubject, marketQuotedId(quoted), encodeMarketQuoted(quoted)), {
            schedule: backoff,
            times: RETRIES,
            while: (error) => error.retryable,
          }),
      })
    }),
  ).pipe(Layer.provide(FeedWriter.layer))
}
