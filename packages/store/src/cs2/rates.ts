/**
 * Numbers as answers show them, in SQL: the one rounding rule. Ratings, averages and percentages have two decimals, shares of 0..1 have
 * four. Arguments are expressions. The result is null where there is nothing to divide by, never zero.
 */

/** Two decimals: ratings, averages such as ADR, percentages of 0..100. */
export const roundedText = (value: string): string => `round((${value})::numeric, 2)`

/** Four decimals: a share of 0..1, such as KAST. */
export const roundedShareText = (value: string): string => `round((${value})::numeric, 4)`

/** A share of 0..1. */
export const shareText = (part: string, whole: string): string => `round((${part})::numeric / NULLIF(${whole}, 0), 4)`

/** A ratio with two decimals. */
export const ratioText = (part: string, whole: string): string => `round((${part})::numeric / NULLIF(${whole}, 0), 2)`

/** The mean of a column over those rows that have it, weighted by their rounds. */
const byRoundsText = (column: string): string => `sum(${column} * rounds) / NULLIF(sum(rounds) FILTER (WHERE ${column} IS NOT NULL), 0)`

/** The same of a rating or an average. */
export const averageByRoundsText = (column: string): string => roundedText(byRoundsText(column))

/** The same of a share. */
export const shareByRoundsText = (column: string): string => roundedShareText(byRoundsText(column))
