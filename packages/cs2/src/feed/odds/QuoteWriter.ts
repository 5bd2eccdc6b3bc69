/** Appends quotes to ODDS. A retried append stores a quote once. Callers must validate the quote and its sender. */
import { type Appended, EventLog, type LogError } from "@matchpoint/bus/EventLog"
import { withinLogWait } from "@matchpoint/bus/FeedWriter"
import { Context, Effect, Layer } from "effect"
import { encodeMarketQuoted, type MarketQuoted, marketQuotedId, oddsSubject } from "../../contract/odds.ts"

export class QuoteWriter extends Context.Service<
  QuoteWriter,
  {
    /**
     * The quote is durable when this returns. If it fails, the quote may or may not have been appended, so the caller
     * should append the same quote again.
     */
    readonly append: (quoted: MarketQuoted) => Effect.Effect<Appended, LogError>
  }
>()("@matchpoint/cs2/feed/odds/QuoteWriter") {
  static readonly layer = Layer.effect(
    QuoteWriter,
    Effect.map(EventLog, (log) =>
      QuoteWriter.of({ append: (quoted) => withinLogWait(log.append(oddsSubject, marketQuotedId(quoted), encodeMarketQuoted(quoted))) }),
    ),
  )
}
