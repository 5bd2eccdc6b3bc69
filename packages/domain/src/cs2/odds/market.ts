/**
 * Betting markets of a match: the winner of the series and of each map. Defines prices and states for all sources and
 * responses. Pure.
 */

/** `suspended`: decided or interrupted, and prices do not change. `closed`: finally settled or withdrawn. */
export type MarketState = "open" | "suspended" | "closed"

/** Bounds of decimal odds: prices of an open market are above 1, and no source quotes more than the maximum. */
export const MAX_DECIMAL = 1_000
export const MIN_DECIMAL = 1.001

/**
 * Returns the decimal price of an outcome with this probability: 1/p, rounded to three decimals. Prediction markets
 * quote probabilities. Returns null if there is no price: the outcome is certain or impossible, or the probability is
 * unknown.
 */
export const decimalOf = (probability: number | null | undefined): number | null => {
  if (probability === null || probability === undefined || !(probability > 0 && probability < 1)) return null
  return Math.min(MAX_DECIMAL, Math.max(MIN_DECIMAL, Math.round(1_000 / probability) / 1_000))
}

/** Returns the probability of team 1 implied by both prices, without the margin: (1/d1) / (1/d1 + 1/d2), 0..1. */
export const impliedProbability = (team1: number | null, team2: number | null): number | null =>
  team1 === null || team2 === null ? null : team2 / (team1 + team2)

/** Returns the margin of the bookmaker: 1/d1 + 1/d2 - 1. */
export const margin = (team1: number | null, team2: number | null): number | null =>
  team1 === null || team2 === null ? null : 1 / team1 + 1 / team2 - 1

/** Prices and state of a market at one time. */
export interface Quote {
  /** Epoch milliseconds. */
  readonly at: number
  readonly team1: number | null
  readonly team2: number | null
  readonly state: MarketState
}

/** Returns true if the prices or the state have changed. */
export const moved = (before: Quote | undefined, now: Quote): boolean =>
  before === undefined || before.team1 !== now.team1 || before.team2 !== now.team2 || before.state !== now.state

/**
 * Returns the new state of a market. A closed market stays closed. A market whose outcome is decided never opens again:
 * sources can be slower than the game, and their state is then ignored.
 */
export const nextState = (before: MarketState, told: MarketState, isDecided: boolean): MarketState => {
  if (before === "closed") return "closed"
  return isDecided && told === "open" ? "suspended" : told
}

/**
 * Returns the quotes of a market that was decided at `decidedAt`, epoch milliseconds. If the market was open at that
 * time, it is suspended then, and later open quotes become suspended. `quotes` are in chronological order.
 */
export const suspendedFrom = (quotes: ReadonlyArray<Quote>, decidedAt: number): ReadonlyArray<Quote> => {
  const before = quotes.filter(({ at }) => at < decidedAt)
  const after = quotes.slice(before.length).map((quote) => (quote.state === "open" ? { ...quote, state: "suspended" as const } : quote))
  const last = before.at(-1)
  return last?.state === "open" ? [...before, { ...last, at: decidedAt, state: "suspended" }, ...after] : [...before, ...after]
}
