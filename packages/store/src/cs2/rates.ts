/**
 * SQL for the rounding rules of API responses. Ratings, averages and percentages have two decimal places, and shares
 * from 0 to 1 have four. Arguments are SQL expressions. If the divisor is 0 or missing, the result is null, never zero.
 */

/** Returns SQL that rounds to two decimal places. For ratings, averages such as ADR, and percentages from 0 to 100. */
export const roundedText = (value: string): string => `round((${value})::numeric, 2)`

/** Returns SQL that rounds to four decimal places. For shares from 0 to 1, such as KAST. */
export const roundedShareText = (value: string): string => `round((${value})::numeric, 4)`

/** Returns SQL that divides a part by a whole. The result is a share from 0 to 1 with four decimal places. */
export const shareText = (part: string, whole: string): string => `round((${part})::numeric / NULLIF(${whole}, 0), 4)`

/** Divides two values into a ratio with two decimals. */
export const ratioText = (part: string, whole: string): string => `round((${part})::numeric / NULLIF(${whole}, 0), 2)`

/**
 * Returns SQL for the mean of a column, weighted by the number of rounds. Rows in which the column is null are ignored.
 */
const byRoundsText = (column: string): string => `sum(${column} * rounds) / NULLIF(sum(rounds) FILTER (WHERE ${column} IS NOT NULL), 0)`

/** Round-weighted mean of a rating or an average, with two decimals. */
export const averageByRoundsText = (column: string): string => roundedText(byRoundsText(column))

/** Round-weighted mean of a share, with four decimals. */
export const shareByRoundsText = (column: string): string => roundedShareText(byRoundsText(column))
