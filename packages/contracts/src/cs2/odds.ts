/**
 * Records of the stream ODDS: betting odds, and their encoding. Any source of market prices appends them; one service
 * stores them.
 */
import { MatchId } from "@matchpoint/domain/ids"
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"

/** Subject of all odds on CS2 matches in the stream ODDS. */
export const oddsSubject = "odds.cs2"

const utf8 = new TextEncoder()
const text = new TextDecoder()

const Name = StorableText.check(Schema.isTrimmed(), Schema.isMinLength(1), Schema.isMaxLength(200))
/** Letters, digits and `. _ -` only, because it becomes part of a message id. */
const Key = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9._-]{1,80}$/))
const Instant = Schema.Natural.annotate({ description: "Epoch milliseconds" })

/** Decimal odds; null if no price is quoted. */
const Price = Schema.NullOr(Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 1_000 })))

export const MarketQuoted = Schema.Struct({
  source: Key.annotate({ description: "Stable name of the source of the quote" }),
  key: Key.annotate({ description: "Id of the market at the source" }),
  /** Default: the match is found by team names and start time. */
  matchId: Schema.optionalKey(MatchId),
  kind: Schema.Literals(["series_winner", "map_winner"]),
  mapNumber: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))),
  title: Name,
  teams: Schema.Tuple([Name, Name]),
  startsAt: Schema.optionalKey(Instant),
  quote: Schema.Struct({ at: Instant, team1: Price, team2: Price, state: Schema.Literals(["open", "suspended", "closed"]) }),
  /** Winning team of a settled market. */
  winner: Schema.optionalKey(Schema.Literals([1, 2])),
}).check(
  Schema.makeFilter(({ kind, mapNumber }) =>
    (kind === "map_winner") === (mapNumber !== undefined) ? undefined : "set mapNumber if kind is map_winner, and only then",
  ),
)
export type MarketQuoted = typeof MarketQuoted.Type

export const encodeMarketQuoted = (quoted: MarketQuoted): Uint8Array => utf8.encode(JSON.stringify(quoted))

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(MarketQuoted))

/** Decodes a record. On failure, the schema error describes what is invalid. */
export const decodeMarketQuoted = (data: Uint8Array) => decode(text.decode(data))

/** Message id of a quote. The log appends a quote once, even if it is sent several times. */
export const marketQuotedId = ({ key, quote, source }: MarketQuoted): string => `odds:${source}:${key}:${quote.at}:${quote.state}`
