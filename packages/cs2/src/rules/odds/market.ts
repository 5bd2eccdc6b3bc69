/**
 * Betting markets of a match: one for the winner of the series and one for each map. Defines how prices and market
 * states are computed, for all sources and responses.
 */

/**
 * Prices can change only while a market is `open`. It is `suspended` while betting is interrupted or after its outcome
 * has been decided, and `closed` once it has been settled or withdrawn for good.
 */
export type MarketState = "open" | "suspended" | "closed"

/** Bounds of decimal odds. Prices of an open market are always above 1; no source quotes more than the maximum. */
export const MAX_DECIMAL = 1_000
export const MIN_DECIMAL = 1.001

/**
 * Decimal odds of a probability: 1/p, rounded to three decimals. Null if the outcome is certain or impossible or its
 * probability is unknown.
 */
export const decimalOf = (probability: number | null | undefined): number | null => {
  if (probability === null || probability === undefined || !(probability > 0 && probability < 1)) return null
  return Math.min(MAX_DECIMAL, Math.max(MIN_DECIMAL, Math.round(1_000 / probability) / 1_000))
}

/** Probability of team 1 by the prices d1 and d2 without the bookmaker's margin: (1/d1) / (1/d1 + 1/d2), from 0 to 1. */
export const impliedProbability = (team1: number | null, team2: number | null): number | null =>
  team1 === null || team2 === null ? null : team2 / (team1 + team2)

/** Bookmaker's margin in the decimal prices d1 and d2: 1/d1 + 1/d2 - 1. */
export const margin = (team1: number | null, team2: number | null): number | null =>
  team1 === null || team2 === null ? null : 1 / team1 + 1 / team2 - 1

export interface Quote {
  /** Epoch milliseconds. */
  readonly at: number
  readonly team1: number | null
  readonly team2: number | null
  readonly state: MarketState
}

/** True if prices or state have changed, or if there was no quote before. */
export const moved = (before: Quote | undefined, now: Quote): boolean =>
  before === undefined || before.team1 !== now.team1 || before.team2 !== now.team2 || before.state !== now.state

/** A closed market stays closed. A decided market never opens again, even if a slow source still reports it as open. */
export const nextState = (before: MarketState, reported: MarketState, isDecided: boolean): MarketState => {
  if (before === "closed") return "closed"
  return isDecided && reported === "open" ? "suspended" : reported
}

/**
 * The outcome was decided at `decidedAt` (epoch ms): if the market was still open then, a suspended quote is inserted,
 * and later open quotes become suspended. `quotes` must be in chronological order.
 */
export const suspendedFrom = (quotes: ReadonlyArray<Quote>, decidedAt: number): ReadonlyArray<Quote> => {
  const before = quotes.filter(({ at }) => at < decidedAt)
  const after = quotes.slice(before.length).map((quote) => (quote.state === "open" ? { ...quote, state: "suspended" as const } : quote))
  const last = before.at(-1)
  return last?.state === "open" ? [...before, { ...last, at: decidedAt, state: "suspended" }, ...after] : [...before, ...after]
}
