/** Odds markets of a match: who wins the series, who wins each map. Prices and states as every source and answer means them. Pure. */

/** `suspended`: decided or interrupted, prices stand still. `closed`: settled or withdrawn for good. */
export type MarketState = "open" | "suspended" | "closed"

/** Decimal odds never fall to 1 while a market is open, and nobody quotes beyond this. */
export const MAX_DECIMAL = 1_000
export const MIN_DECIMAL = 1.001

/**
 * Decimal price of an outcome with this probability (prediction markets quote probabilities): 1/p, three decimals. Null: no price can be
 * quoted, because the outcome is certain or impossible or nobody said.
 */
export const decimalOf = (probability: number | null | undefined): number | null => {
  if (probability === null || probability === undefined || !(probability > 0 && probability < 1)) return null
  return Math.min(MAX_DECIMAL, Math.max(MIN_DECIMAL, Math.round(1_000 / probability) / 1_000))
}

/** What both prices say of team 1's chance with the margin taken out: (1/d1) / (1/d1 + 1/d2), 0..1. */
export const impliedProbability = (team1: number | null, team2: number | null): number | null =>
  team1 === null || team2 === null ? null : team2 / (team1 + team2)

/** The share that whoever quotes keeps: 1/d1 + 1/d2 - 1. */
export const margin = (team1: number | null, team2: number | null): number | null =>
  team1 === null || team2 === null ? null : 1 / team1 + 1 / team2 - 1

/** One line of a market at a moment. */
export interface Quote {
  /** Epoch ms. */
  readonly at: number
  readonly team1: number | null
  readonly team2: number | null
  readonly state: MarketState
}

/** Whether the line has moved since: the same prices in the same state are no movement. */
export const moved = (before: Quote | undefined, now: Quote): boolean =>
  before === undefined || before.team1 !== now.team1 || before.team2 !== now.team2 || before.state !== now.state

/**
 * A state never comes back from closed, and never back to open once what is bet on is decided: whoever quotes may be slower than the
 * game, and is not believed.
 */
export const nextState = (before: MarketState, told: MarketState, isDecided: boolean): MarketState => {
  if (before === "closed") return "closed"
  return isDecided && told === "open" ? "suspended" : told
}

/**
 * Quotes of a market that was decided at `decidedAt`, epoch ms: from then on the line stands still, and where it stood open it is
 * suspended at that moment. Quotes in order of time.
 */
export const suspendedFrom = (quotes: ReadonlyArray<Quote>, decidedAt: number): ReadonlyArray<Quote> => {
  const before = quotes.filter(({ at }) => at < decidedAt)
  const after = quotes.slice(before.length).map((quote) => (quote.state === "open" ? { ...quote, state: "suspended" as const } : quote))
  const last = before.at(-1)
  return last?.state === "open" ? [...before, { ...last, at: decidedAt, state: "suspended" }, ...after] : [...before, ...after]
}
