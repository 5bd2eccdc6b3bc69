/**
 * Import source `odds-markets`: captures of a prediction market, one JSON array of markets per file. Only CS2 markets
 * on the winner of a series or map are imported. Others (kills, rounds, handicaps, other games) are skipped.
 */
import { StorableText } from "@matchpoint/domain/storableText"
import { jsonAs } from "@matchpoint/game/feed/import/files"
import { accept, defineSource, type ReadRecord, reject, tallyOf } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Option, Schema, Stream } from "effect"
import { OddsRecorder } from "../../../archive/odds/OddsRecorder.ts"
import type { QuotedMarket } from "../../../archive/odds/QuotedMarket.ts"
import { decimalOf, type Quote } from "../../../rules/odds/market.ts"

const SOURCE = "odds-markets"

/** In captured files, each list is encoded as a string that contains JSON. */
const Texts = Schema.fromJsonString(Schema.Array(StorableText))

const Market = Schema.Struct({
  id: StorableText,
  question: StorableText,
  outcomes: Texts,
  outcomePrices: Texts,
  closed: Schema.Boolean,
  startDate: Schema.optionalKey(Schema.NullOr(StorableText)),
  updatedAt: Schema.optionalKey(Schema.NullOr(StorableText)),
  closedTime: Schema.optionalKey(Schema.NullOr(StorableText)),
  gameStartTime: Schema.optionalKey(Schema.NullOr(StorableText)),
  acceptingOrders: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
})
const decodeMarket = Schema.decodeUnknownOption(Market)

/** Questions of winner markets: `Counter-Strike: A vs B (BO3) - …` or `Counter-Strike: A vs B - Map 2 Winner`. */
const winnerQuestion = /^(?:Counter-Strike|CS2|CS:GO)[^:]*: .+ vs\.? .+$/i
const mapQuestion = /- (?:Map|Game) (\d) Winner$/i

const questionOf = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null && "question" in value && typeof value.question === "string" ? value.question : undefined

export const isOurs = (value: unknown): boolean => winnerQuestion.test(questionOf(value) ?? "")

export const readMarket = (value: unknown): ReadRecord<QuotedMarket> => {
  const decoded = decodeMarket(value)
  if (Option.isNone(decoded)) return reject("the market needs id, question, outcomes and outcomePrices", value)
  const { closed, id, outcomePrices, outcomes, question, ...rest } = decoded.value
  const [team1, team2, third] = outcomes
  const [price1, price2] = outcomePrices.map(Number)
  if (team1 === undefined || team2 === undefined || third !== undefined) return reject("the market does not have exactly two teams", value)
  if (price1 === undefined || price2 === undefined || !isShare(price1) || !isShare(price2))
    return reject("the prices are not two probabilities", value)
  const closedAt = closed ? timeOf(rest.closedTime ?? rest.updatedAt) : undefined
  const at = closedAt ?? timeOf(rest.updatedAt) ?? timeOf(rest.startDate)
  if (at === undefined) return reject("the prices have no time", value)
  const mapNumber = mapQuestion.exec(question)?.[1]
  const state = closed ? "closed" : rest.acceptingOrders === false ? "suspended" : "open"
  const quote: Quote = { at, team1: closed ? null : decimalOf(price1), team2: closed ? null : decimalOf(price2), state }
  return accept({
    source: SOURCE,
    key: id,
    kind: mapNumber === undefined ? "series_winner" : "map_winner",
    mapNumber: mapNumber === undefined ? undefined : Number(mapNumber),
    title: question,
    teams: [team1, team2],
    // A market on a cancelled match settles with both outcomes at half the full price, so there is no winner.
    winner: closed && price1 === 1 ? 1 : closed && price2 === 1 ? 2 : undefined,
    startsAt: timeOf(rest.gameStartTime),
    closedAt,
    quotes: [quote],
  })
}

const isShare = (price: number): boolean => price >= 0 && price <= 1

const timeOf = (text: string | null | undefined): number | undefined => {
  // `2026-01-23 12:30:00+00` becomes ISO 8601.
  const at = Date.parse((text ?? "").replace(/^(\S+) (\S+?)([+-]\d{2})$/, "$1T$2$3:00"))
  return Number.isNaN(at) ? undefined : at
}

export const oddsMarkets = defineSource({
  name: SOURCE,
  summary: "odds of CS2 series and maps from captures of a prediction market: esports_markets*.json(.gz)",
  version: 1,
  takes: (name) => /(^|\/)esports_markets[^/]*\.json(\.gz|\.xz)?$/.test(name),
  // After the files with matches, because these files refer to those matches.
  order: () => 1,
  read: (file) =>
    Stream.unwrap(
      Effect.map(jsonAs(file, Schema.Array(Schema.Unknown)), (markets) =>
        Stream.map(Stream.fromIterable(markets.filter(isOurs)), readMarket),
      ),
    ),
  write: (markets) =>
    Effect.gen(function* () {
      const recorder = yield* OddsRecorder
      return tallyOf(yield* Effect.forEach(markets, recorder.record))
    }),
})
