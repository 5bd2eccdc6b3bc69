/** Builds the models `ServeStatistics` and `ReturnStatistics`, from the columns of one match or from sums over several. */
import type { ServeColumn } from "./players/playerYears.ts"

/** SQL expression of a statistic, a number that is not NULL. */
export type StatisticOf = (column: ServeColumn) => string

/** One decimal, or NULL if `of` is 0. */
export const percentText = (part: string, of: string): string => `round(100.0 * (${part}) / NULLIF(${of}, 0), 1)`

/** A few rows of the archive contradict themselves, and counts cannot be negative. */
const less = (from: string, what: string): string => `GREATEST(0, ${from} - ${what})`

const fieldsText = (fields: Readonly<Record<string, string>>): string =>
  `json_build_object(${Object.entries(fields)
    .map(([name, of]) => `'${name}', ${of}`)
    .join(", ")})`

export const serveText = (own: StatisticOf): string => {
  const points = own("serve_points")
  const second = less(points, own("first_in"))
  const won = `(${own("first_won")} + ${own("second_won")})`
  const broken = less(own("break_points_faced"), own("break_points_saved"))
  const held = less(own("serve_games"), broken)
  return fieldsText({
    aces: own("aces"),
    double_faults: own("double_faults"),
    points,
    points_won: won,
    points_won_pct: percentText(won, points),
    first_in: own("first_in"),
    first_in_pct: percentText(own("first_in"), points),
    first_won: own("first_won"),
    first_won_pct: percentText(own("first_won"), own("first_in")),
    second_points: second,
    second_won: own("second_won"),
    second_won_pct: percentText(own("second_won"), second),
    games: own("serve_games"),
    games_won: held,
    games_won_pct: percentText(held, own("serve_games")),
    break_points_faced: own("break_points_faced"),
    break_points_saved: own("break_points_saved"),
    break_points_saved_pct: percentText(own("break_points_saved"), own("break_points_faced")),
  })
}

/** Return statistics of a player follow from the serve statistics of the opponent. */
export const returnText = (opponent: StatisticOf): string => {
  const points = opponent("serve_points")
  const first = opponent("first_in")
  const second = less(points, first)
  const firstWon = less(first, opponent("first_won"))
  const secondWon = less(second, opponent("second_won"))
  const won = `(${firstWon} + ${secondWon})`
  const chances = opponent("break_points_faced")
  const converted = less(chances, opponent("break_points_saved"))
  return fieldsText({
    points,
    points_won: won,
    points_won_pct: percentText(won, points),
    first_points: first,
    first_won: firstWon,
    first_won_pct: percentText(firstWon, first),
    second_points: second,
    second_won: secondWon,
    second_won_pct: percentText(secondWon, second),
    games: opponent("serve_games"),
    games_won: converted,
    games_won_pct: percentText(converted, opponent("serve_games")),
    break_points: chances,
    break_points_converted: converted,
    break_points_converted_pct: percentText(converted, chances),
  })
}
