/**
 * The rounding rules of API responses, in SQL. Ratings, averages and percentages have two decimals; shares of 0..1 have
 * four. Arguments are SQL expressions. If there is nothing to divide by, the result is null, never zero.
 */

/** Rounds to two decimals: ratings, averages such as ADR, percentages of 0..100. */
export const roundedText = (value: string): string => `round((${value})::numeric, 2)`

/** Rounds to four decimals: shares of 0..1, such as KAST. */
export const roundedShareText = (value: string): string => `round((${value})::numeric, 4)`

/** Divides two values into a share of 0..1, with four decimals. */
export const shareText = (part: string, whole: string): string => `round((${part})::numeric / NULLIF(${whole}, 0), 4)`

/** Divides two values into a ratio with two decimals. */
export const ratioText = (part: string, whole: string): string => `round((${part})::numeric / NULLIF(${whole}, 0), 2)`

/** Mean of a column over the rows in which it is not null, weighted by rounds. */
const byRoundsText = (column: string): string => `sum(${column} * rounds) / NULLIF(sum(rounds) FILTER (WHERE ${column} IS NOT NULL), 0)`

/** Round-weighted mean of a rating or an average, with two decimals. */
export const averageByRoundsText = (column: string): string => roundedText(byRoundsText(column))

/** Round-weighted mean of a share, with four decimals. */
export const shareByRoundsText = (column: string): string => roundedShareText(byRoundsText(column))
