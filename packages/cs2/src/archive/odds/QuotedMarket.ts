import type { Quote } from "../../rules/odds/market.ts"

/** A betting market as reported by a source. Times are in epoch milliseconds. Quotes are in chronological order. */
export interface QuotedMarket {
  readonly source: string
  readonly key: string
  /** Number of the match in this archive. Undefined if the source does not report it. */
  readonly matchNumber?: number | undefined
  readonly kind: "series_winner" | "map_winner"
  /** Undefined for markets on the winner of the series. */
  readonly mapNumber?: number | undefined
  readonly title: string
  readonly teams: readonly [string, string]
  readonly winner?: 1 | 2 | undefined
  readonly startsAt?: number | undefined
  readonly closedAt?: number | undefined
  readonly decidedAt?: number | undefined
  readonly quotes: ReadonlyArray<Quote>
}
