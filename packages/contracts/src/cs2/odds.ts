/** Records of the ODDS stream: what markets quote, as bytes. Whoever has a market's prices tells them here; one service writes them down. */
import { MatchId } from "@matchpoint/domain/ids"
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"

/** The subject of every quote on CS2 matches in the stream ODDS. */
export const oddsSubject = "odds.cs2"

const utf8 = new TextEncoder()
const text = new TextDecoder()

const Name = StorableText.check(Schema.isTrimmed(), Schema.isMinLength(1), Schema.isMaxLength(200))
/** Letters, digits and `. _ -`: it becomes part of a message id. */
const Key = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9._-]{1,80}$/))
const Instant = Schema.Natural.annotate({ description: "Epoch milliseconds" })

/** Decimal odds; null: none is quoted. */
const Price = Schema.NullOr(Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 1_000 })))

export const MarketQuoted = Schema.Struct({
  source: Key.annotate({ description: "Who quotes; stays the same" }),
  key: Key.annotate({ description: "The market, as the source calls it" }),
  /** Default: found by the names of the teams and the start. */
  matchId: Schema.optionalKey(MatchId),
  kind: Schema.Literals(["series_winner", "map_winner"]),
  mapNumber: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))),
  title: Name,
  teams: Schema.Tuple([Name, Name]),
  startsAt: Schema.optionalKey(Instant),
  quote: Schema.Struct({ at: Instant, team1: Price, team2: Price, state: Schema.Literals(["open", "suspended", "closed"]) }),
  /** Of a market that is settled. */
  winner: Schema.optionalKey(Schema.Literals([1, 2])),
}).check(
  Schema.makeFilter(({ kind, mapNumber }) =>
    (kind === "map_winner") === (mapNumber !== undefined) ? undefined : "a map's market has a mapNumber, and no other",
  ),
)
export type MarketQuoted = typeof MarketQuoted.Type

export const encodeMarketQuoted = (quoted: MarketQuoted): Uint8Array => utf8.encode(JSON.stringify(quoted))

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(MarketQuoted))

/** Fails with the schema's account of what is wrong. */
export const decodeMarketQuoted = (data: Uint8Array) => decode(text.decode(data))

/** A quote is appended once however often it is told. */
export const marketQuotedId = ({ key, quote, source }: MarketQuoted): string => `odds:${source}:${key}:${quote.at}:${quote.state}`
