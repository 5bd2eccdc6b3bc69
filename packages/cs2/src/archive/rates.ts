/**
 * Rounding rules of API responses as SQL expressions. Ratings, averages such as ADR (damage per round) and percentages
 * have two decimal places. Shares from 0 to 1, such as KAST (share of rounds with a kill, an assist, survival or a
 * traded death), have four. If the divisor is 0 or null, the result is null, never zero.
 */

export const roundedText = (value: string): string => `round((${value})::numeric, 2)`

export const roundedShareText = (value: string): string => `round((${value})::numeric, 4)`

export const shareText = (part: string, whole: string): string => `round((${part})::numeric / NULLIF(${whole}, 0), 4)`

export const ratioText = (part: string, whole: string): string => `round((${part})::numeric / NULLIF(${whole}, 0), 2)`

/** Mean weighted by the number of rounds. Rows in which the column is null are ignored. */
const byRoundsText = (column: string): string => `sum(${column} * rounds) / NULLIF(sum(rounds) FILTER (WHERE ${column} IS NOT NULL), 0)`

export const averageByRoundsText = (column: string): string => roundedText(byRoundsText(column))

export const shareByRoundsText = (column: string): string => roundedShareText(byRoundsText(column))
