/** Records of the ODDS stream. Any source of market prices may append them; a single service stores them permanently. */
import { MatchId } from "@matchpoint/domain/ids"
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"

/** NATS subject of all CS2 records in the ODDS stream. */
export const oddsSubject = "odds.cs2"

const utf8 = new TextEncoder()
const text = new TextDecoder()

const Name = StorableText.check(Schema.isTrimmed(), Schema.isMinLength(1), Schema.isMaxLength(200))
/** Part of a message id: at most 80 characters, only letters, digits and `. _ -`. */
const Key = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9._-]{1,80}$/))
const Instant = Schema.Natural.annotate({ description: "Epoch milliseconds" })

/** Decimal odds; null if no price is quoted. */
const Price = Schema.NullOr(Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 1_000 })))

export const MarketQuoted = Schema.Struct({
  source: Key.annotate({ description: "Stable name of the source of the quote" }),
  key: Key.annotate({ description: "Id of the market at the source" }),
  /** Match that the market is about. If absent, the match is found by the team names and the start time. */
  matchId: Schema.optionalKey(MatchId),
  kind: Schema.Literals(["series_winner", "map_winner"]),
  mapNumber: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))),
  title: Name,
  teams: Schema.Tuple([Name, Name]),
  startsAt: Schema.optionalKey(Instant),
  quote: Schema.Struct({ at: Instant, team1: Price, team2: Price, state: Schema.Literals(["open", "suspended", "closed"]) }),
  /** Winning team, 1 or 2. Present only if the market is settled. */
  winner: Schema.optionalKey(Schema.Literals([1, 2])),
}).check(
  Schema.makeFilter(({ kind, mapNumber }) =>
    (kind === "map_winner") === (mapNumber !== undefined) ? undefined : "set mapNumber if kind is map_winner, and only then",
  ),
)
export type MarketQuoted = typeof MarketQuoted.Type

export const encodeMarketQuoted = (quoted: MarketQuoted): Uint8Array => utf8.encode(JSON.stringify(quoted))

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(MarketQuoted))

/** The schema error describes what is invalid. */
export const decodeMarketQuoted = (data: Uint8Array) => decode(text.decode(data))

/** The log appends each message id only once, so a quote may be sent several times. */
export const marketQuotedId = ({ key, quote, source }: MarketQuoted): string => `odds:${source}:${key}:${quote.at}:${quote.state}`
