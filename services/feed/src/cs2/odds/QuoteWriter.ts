/** Quotes into ODDS, each once however often it is tried. What a quote is and who may report it is decided before. */
import { type Appended, EventLog, type LogError } from "@matchpoint/bus/EventLog"
import { withinLogWait } from "@matchpoint/bus/FeedWriter"
import { encodeMarketQuoted, type MarketQuoted, marketQuotedId, oddsSubject } from "@matchpoint/contracts/cs2/odds"
import { Context, Effect, Layer } from "effect"

export class QuoteWriter extends Context.Service<
  QuoteWriter,
  {
    /** Durable when it returns. A failure may have happened all the same: append the quote again. */
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
