/** Serve and return statistics, of one match or summed up, and the career statistics of a player. */
import { Schema } from "effect"
import { statisticsGaps } from "../../../rules/archive/statisticsGap.ts"
import { TennisPlayerRef } from "./matchModels.ts"

const nullable = Schema.NullOr
const natural = Schema.Natural
const percent = nullable(Schema.Finite).annotate({ description: "Percent with one decimal; null if there was no attempt" })

export const StatisticsReason = Schema.Literals(statisticsGaps).annotate({
  description:
    "Why there are no statistics: `walkover` (not played), `not_recorded_for_circuit`, `before_statistics` (the source has statistics only of later years), `no_matches`, or `not_recorded`",
})

export const ServeStatistics = Schema.Struct({
  aces: natural,
  double_faults: natural,
  points: natural,
  points_won: natural,
  points_won_pct: percent,
  first_in: natural,
  first_in_pct: percent,
  first_won: natural,
  first_won_pct: percent,
  second_points: natural,
  second_won: natural,
  second_won_pct: percent,
  games: natural,
  games_won: natural,
  games_won_pct: percent,
  break_points_faced: natural,
  break_points_saved: natural,
  break_points_saved_pct: percent,
}).annotate({ identifier: "TennisServeStatistics" })

export const ReturnStatistics = Schema.Struct({
  points: natural,
  points_won: natural,
  points_won_pct: percent,
  first_points: natural,
  first_won: natural,
  first_won_pct: percent,
  second_points: natural,
  second_won: natural,
  second_won_pct: percent,
  games: natural,
  games_won: natural,
  games_won_pct: percent,
  break_points: natural,
  break_points_converted: natural,
  break_points_converted_pct: percent,
}).annotate({ identifier: "TennisReturnStatistics" })

const record = {
  matches: natural.annotate({ description: "Matches won and lost" }),
  wins: natural,
  losses: natural,
  win_pct: percent,
  walkovers_won: natural,
  walkovers_lost: natural,
  finals: natural.annotate({ description: "Finals of the main tour and the amateur era, without team competitions" }),
  titles: natural,
  other_titles: natural.annotate({ description: "Titles of lower circuits, such as Challenger, ITF and Futures tournaments" }),
} as const

const WonAndLost = Schema.Struct({ won: natural, lost: natural, win_pct: percent })

/** Matches with one value, such as those on one surface. */
const recordBy = <Key extends string, Value extends Schema.Top>(key: Key, value: Value) =>
  Schema.Array(Schema.Struct({ [key]: value, ...record } as { readonly [K in Key]: Value } & typeof record))

export const TennisPlayerStats = Schema.Struct({
  player: TennisPlayerRef,
  ...record,
  tiebreaks: WonAndLost,
  deciding_sets: WonAndLost,
  statistics_matches: natural.annotate({ description: "Matches with serve statistics of both players" }),
  statistics_reason: nullable(StatisticsReason),
  serve: nullable(ServeStatistics),
  return: nullable(ReturnStatistics),
  by_surface: recordBy("surface", nullable(Schema.String)),
  by_level: recordBy("level", nullable(Schema.String)),
  by_circuit: recordBy("circuit", Schema.String),
  by_year: recordBy("year", natural),
}).annotate({ identifier: "TennisPlayerStats" })
export type TennisPlayerStats = typeof TennisPlayerStats.Type
