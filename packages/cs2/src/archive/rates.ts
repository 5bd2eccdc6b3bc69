/**
 * SQL expressions that apply the rounding rules of API responses. Ratings, averages and percentages have two decimal
 * places, and shares from 0 to 1 have four. All arguments are SQL expressions. If the divisor is 0 or null, the result
 * is null, never zero.
 */

/**
 * Returns an SQL expression that rounds to two decimal places. Used for ratings, averages such as ADR (average damage
 * per round), and percentages from 0 to 100.
 */
export const roundedText = (value: string): string => `round((${value})::numeric, 2)`

/**
 * Returns an SQL expression that rounds to four decimal places. Used for shares from 0 to 1, such as KAST (share of
 * rounds with a kill, an assist, survival or a traded death).
 */
export const roundedShareText = (value: string): string => `round((${value})::numeric, 4)`

/**
 * Returns an SQL expression that divides a part by a whole. The result is a share from 0 to 1 with four decimal places.
 */
export const shareText = (part: string, whole: string): string => `round((${part})::numeric / NULLIF(${whole}, 0), 4)`

/** Returns an SQL expression for the ratio of two values, rounded to two decimal places. */
export const ratioText = (part: string, whole: string): string => `round((${part})::numeric / NULLIF(${whole}, 0), 2)`

/**
 * Returns an SQL expression for the mean of a column, weighted by the number of rounds. Rows in which the column is
 * null are ignored.
 */
const byRoundsText = (column: string): string => `sum(${column} * rounds) / NULLIF(sum(rounds) FILTER (WHERE ${column} IS NOT NULL), 0)`

/**
 * Returns an SQL expression for the mean of a rating or an average, weighted by the number of rounds and rounded to two
 * decimal places.
 */
export const averageByRoundsText = (column: string): string => roundedText(byRoundsText(column))

/**
 * Returns an SQL expression for the mean of a share, weighted by the number of rounds and rounded to four decimal
 * places.
 */
export const shareByRoundsText = (column: string): string => roundedShareText(byRoundsText(column))
