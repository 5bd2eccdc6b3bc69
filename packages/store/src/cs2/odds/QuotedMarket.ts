import type { Quote } from "@matchpoint/domain/cs2/odds/market"

/** A market as reported by a source. Times are epoch ms. Quotes are in chronological order. */
export interface QuotedMarket {
  readonly source: string
  readonly key: string
  /** Number of our match, if the source knows it. */
  readonly matchNumber?: number | undefined
  readonly kind: "series_winner" | "map_winner"
  /** Map number of a market on the winner of a map. */
  readonly mapNumber?: number | undefined
  readonly title: string
  readonly teams: readonly [string, string]
  readonly winner?: 1 | 2 | undefined
  readonly startsAt?: number | undefined
  readonly closedAt?: number | undefined
  /** Time when the map or series was decided, if known. */
  readonly decidedAt?: number | undefined
  readonly quotes: ReadonlyArray<Quote>
}
