/** Row schemas of betting markets and their prices, for `OddsRecorder`. Times are read as epoch ms. */
import { Counter } from "@matchpoint/store/Counter"
import { Schema } from "effect"
import type { MarketState } from "../../rules/odds/market.ts"
import type { QuotedMarket } from "./QuotedMarket.ts"

const State = Schema.Literals(["open", "suspended", "closed"])

export const StoredMarket = Schema.Struct({
  marketNumber: Counter,
  matchNumber: Schema.NullOr(Counter),
  decidedAt: Schema.NullOr(Counter),
  state: State,
  winner: Schema.NullOr(Schema.Literals([1, 2])),
  team1Name: Schema.String,
  startsAt: Schema.NullOr(Counter),
  pricedAt: Schema.NullOr(Counter),
})

export const QuoteRow = Schema.Struct({
  at: Counter,
  team1: Schema.NullOr(Schema.Finite),
  team2: Schema.NullOr(Schema.Finite),
  state: State,
})

export const MarketRow = Schema.Struct({
  source: Schema.String,
  key: Schema.String,
  matchNumber: Schema.NullOr(Schema.Natural),
  kind: Schema.Literals(["series_winner", "map_winner"]),
  mapNumber: Schema.NullOr(Schema.Natural),
  title: Schema.String,
  team1Name: Schema.String,
  team2Name: Schema.String,
  state: State,
  winner: Schema.NullOr(Schema.Literals([1, 2])),
  startsAt: Schema.NullOr(Schema.Date),
  openedAt: Schema.NullOr(Schema.Date),
  decidedAt: Schema.NullOr(Schema.Date),
  closedAt: Schema.NullOr(Schema.Date),
})

export const dateAt = (at: number): Date => new Date(at)

const dateOf = (at: number | undefined): Date | null => (at === undefined ? null : new Date(at))

interface Standing {
  readonly state: MarketState
  readonly matchNumber: number | null
  readonly decidedAt: number | undefined
}

export const rowOf = (market: QuotedMarket, { decidedAt, matchNumber, state }: Standing): typeof MarketRow.Type => ({
  source: market.source,
  key: market.key,
  matchNumber,
  kind: market.kind,
  mapNumber: market.mapNumber ?? null,
  title: market.title,
  team1Name: market.teams[0],
  team2Name: market.teams[1],
  state,
  winner: market.winner ?? null,
  startsAt: dateOf(market.startsAt),
  openedAt: dateOf(market.quotes[0]?.at),
  decidedAt: dateOf(decidedAt),
  closedAt: dateOf(market.closedAt),
})
