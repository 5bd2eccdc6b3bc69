/** Rates as answers show them, in SQL. Arguments are expressions; null of nothing, never zero. */

/** 0..1 with four decimals. */
export const shareText = (part: string, whole: string): string => `round((${part})::numeric / NULLIF(${whole}, 0), 4)`

/** With two decimals, as answers show ratings and averages. */
export const ratioText = (part: string, whole: string): string => `round((${part})::numeric / NULLIF(${whole}, 0), 2)`

/** The mean of a column over those rows that have it, weighted by their rounds. */
export const byRoundsText = (column: string, decimals: number): string =>
  `round((sum(${column} * rounds) / NULLIF(sum(rounds) FILTER (WHERE ${column} IS NOT NULL), 0))::numeric, ${decimals})`
