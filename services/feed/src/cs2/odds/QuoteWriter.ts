/**
 * Appends quotes to ODDS, each once even if it is retried. Callers validate the quote and the permission to send it.
 */
import { type Appended, EventLog, type LogError } from "@matchpoint/bus/EventLog"
import { withinLogWait } from "@matchpoint/bus/FeedWriter"
import { encodeMarketQuoted, type MarketQuoted, marketQuotedId, oddsSubject } from "@matchpoint/contracts/cs2/odds"
import { Context, Effect, Layer } from "effect"

export class QuoteWriter extends Context.Service<
  QuoteWriter,
  {
    /**
     * Appends a quote. It is durable when this returns. After a failure it may have been appended nevertheless, so the
     * caller should append it again.
     */
    readonly append: (quoted: MarketQuoted) => Effect.Effect<Appended, LogError>
  }
>()("@matchpoint/service-feed/cs2/odds/QuoteWriter") {
  static readonly layer = Layer.effect(
    QuoteWriter,
    Effect.map(EventLog, (log) =>
      QuoteWriter.of({ append: (quoted) => withinLogWait(log.append(oddsSubject, marketQuotedId(quoted), encodeMarketQuoted(quoted))) }),
    ),
  )
}
