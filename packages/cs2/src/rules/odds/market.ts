/**
 * Betting markets of a match: one for the winner of the series and one for the winner of each map. Defines how prices
 * and market states are computed, for all sources and responses. Has no side effects.
 */

/**
 * State of a betting market. The prices of a market can change only while it is `open`. It is `suspended` while betting
 * is interrupted or after its outcome has been decided, and `closed` once it has been settled or withdrawn for good.
 */
export type MarketState = "open" | "suspended" | "closed"

/** Bounds of decimal odds. Prices of an open market are always above 1, and no source quotes more than the maximum. */
export const MAX_DECIMAL = 1_000
export const MIN_DECIMAL = 1.001

/**
 * Converts a probability, as quoted by prediction markets, to decimal odds: 1/p, rounded to three decimals. Returns
 * null if there is no price because the outcome is certain or impossible or its probability is unknown.
 */
export const decimalOf = (probability: number | null | undefined): number | null => {
  if (probability === null || probability === undefined || !(probability > 0 && probability < 1)) return null
  return Math.min(MAX_DECIMAL, Math.max(MIN_DECIMAL, Math.round(1_000 / probability) / 1_000))
}

/**
 * Returns the probability of a win by team 1 that follows from the two prices d1 and d2 after the bookmaker's margin
 * has been removed: (1/d1) / (1/d1 + 1/d2), from 0 to 1.
 */
export const impliedProbability = (team1: number | null, team2: number | null): number | null =>
  team1 === null || team2 === null ? null : team2 / (team1 + team2)

/** Returns the bookmaker's margin that the two decimal prices d1 and d2 contain: 1/d1 + 1/d2 - 1. */
export const margin = (team1: number | null, team2: number | null): number | null =>
  team1 === null || team2 === null ? null : 1 / team1 + 1 / team2 - 1

/** Prices and state of a market at one time. */
export interface Quote {
  /** Time of the quote in epoch milliseconds. */
  readonly at: number
  readonly team1: number | null
  readonly team2: number | null
  readonly state: MarketState
}

/**
 * Returns true if the prices or the state of a market have changed between two quotes, or if there was no quote before.
 */
export const moved = (before: Quote | undefined, now: Quote): boolean =>
  before === undefined || before.team1 !== now.team1 || before.team2 !== now.team2 || before.state !== now.state

/**
 * Returns the state that a market gets after a source has reported a state. A closed market stays closed. A market
 * whose outcome is decided never opens again, even if a slow source still reports it as open.
 */
export const nextState = (before: MarketState, reported: MarketState, isDecided: boolean): MarketState => {
  if (before === "closed") return "closed"
  return isDecided && reported === "open" ? "suspended" : reported
}

/**
 * Corrects the quotes of a market whose outcome was decided at `decidedAt` (epoch milliseconds). If the market was
 * still open at that time, a suspended quote is inserted, and later open quotes become suspended. `quotes` must be in
 * chronological order.
 */
export const suspendedFrom = (quotes: ReadonlyArray<Quote>, decidedAt: number): ReadonlyArray<Quote> => {
  const before = quotes.filter(({ at }) => at < decidedAt)
  const after = quotes.slice(before.length).map((quote) => (quote.state === "open" ? { ...quote, state: "suspended" as const } : quote))
  const last = before.at(-1)
  return last?.state === "open" ? [...before, { ...last, at: decidedAt, state: "suspended" }, ...after] : [...before, ...after]
}
