/**
 * Sums of a player's matches by year, circuit, level and surface. The table `tennis_player_years` has these sums for the
 * whole archive. For plans with limited history, the same SQL computes them from the player's matches.
 *
 * - Walkovers and unfinished matches are neither won nor lost. `walkovers_won` and `walkovers_lost` count walkovers.
 * - Finals of team competitions do not count.
 * - A tie-break is a set that ended 7-6, or whose points are known. Match tie-breaks are sets, not tie-breaks.
 * - A deciding set is the last set of a completed match in which the loser won one set less than the winner.
 * - Statistics count only in matches that have those of both players.
 */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import { isFinalText } from "../matches/matchFacts.ts"

/** Statistics of one match, as in the columns `winner_aces` and `loser_aces` of `tennis_matches`. */
export const serveColumns = [
  "aces",
  "double_faults",
  "serve_points",
  "first_in",
  "first_won",
  "second_won",
  "serve_games",
  "break_points_saved",
  "break_points_faced",
] as const
export type ServeColumn = (typeof serveColumns)[number]

const recordSums = {
  listed: "count(*)",
  wins: "count(*) FILTER (WHERE counted AND won)",
  losses: "count(*) FILTER (WHERE counted AND NOT won)",
  walkovers_won: "count(*) FILTER (WHERE ending = 'walkover' AND won)",
  walkovers_lost: "count(*) FILTER (WHERE ending = 'walkover' AND NOT won)",
  finals: "count(*) FILTER (WHERE final)",
  titles: "count(*) FILTER (WHERE final AND won)",
  tiebreaks_won: "COALESCE(sum(CASE WHEN won THEN winner_tiebreaks ELSE loser_tiebreaks END), 0)",
  tiebreaks_lost: "COALESCE(sum(CASE WHEN won THEN loser_tiebreaks ELSE winner_tiebreaks END), 0)",
  deciding_won: "count(*) FILTER (WHERE decided_late AND won)",
  deciding_lost: "count(*) FILTER (WHERE decided_late AND NOT won)",
  with_statistics: "count(*) FILTER (WHERE measured)",
} as const

/** Sums in the order of the columns of `tennis_player_years`. Opponents' statistics have the prefix `opponent_`. */
export const ownSums: ReadonlyArray<string> = [
  ...Object.keys(recordSums),
  ...serveColumns,
  ...serveColumns.map((column) => `opponent_${column}`),
]

/** Columns in the order of {@link playerYears}. */
export const yearColumns: ReadonlyArray<string> = ["player_id", "year", "circuit", "level", "surface", "first_day", "last_day", ...ownSums]

const bothSides = (winner: string, loser: string): string =>
  serveColumns.map((column) => `m.${winner}_${column}, m.${loser}_${column}`).join(", ")

const sumsText: string = [
  ...Object.values(recordSums),
  ...["", "opponent_"].flatMap((prefix) => serveColumns.map((column) => `COALESCE(sum(${prefix}${column}) FILTER (WHERE measured), 0)`)),
].join(",\n        ")

const endingsWithoutResult = "('walkover', 'unfinished')"

/**
 * Columns {@link yearColumns}. `ofMatches` is a condition on the matches `m`, and `ofPlayers` one on `side.player_id`.
 */
export const playerYears = (sql: PgClient.PgClient, ofMatches: Fragment, ofPlayers: Fragment): Fragment =>
  sql`${sql.literal(head)} ${ofMatches} AND ${ofPlayers} ${sql.literal(tail)}`

/** The same SELECT for all players of the matches that fit the condition. */
export const playerYearsText = (ofMatches: string): string => `${head} ${ofMatches} ${tail}`

const head = `
      SELECT player_id, year, circuit, level, surface, min(match_date), max(match_date),
        ${sumsText}
      FROM (
        SELECT side.*, m.circuit, m.match_date, m.ending, extract(year FROM m.match_date)::smallint AS year,
          COALESCE(m.level, '') AS level, COALESCE(m.surface, '') AS surface,
          m.ending NOT IN ${endingsWithoutResult} AS counted, played.winner_tiebreaks, played.loser_tiebreaks,
          m.ending = 'completed' AND played.winner_sets >= 2 AND played.loser_sets = played.winner_sets - 1 AS decided_late,
          m.winner_serve_points > 0 AND m.loser_serve_points > 0 AS measured,
          m.ending <> 'unfinished' AND ${isFinalText("m")} AS final
        FROM tennis_matches m
        CROSS JOIN LATERAL (
          SELECT count(*) FILTER (WHERE w > l) AS winner_sets, count(*) FILTER (WHERE l > w) AS loser_sets,
            count(*) FILTER (WHERE w > l AND (t IS NOT NULL OR w = 7 AND l = 6)) AS winner_tiebreaks,
            count(*) FILTER (WHERE l > w AND (t IS NOT NULL OR l = 7 AND w = 6)) AS loser_tiebreaks
          FROM unnest(m.winner_games, m.loser_games, m.tiebreak_points) AS sets (w, l, t)
        ) AS played
        CROSS JOIN LATERAL (VALUES
          (m.winner_id, true, ${bothSides("winner", "loser")}),
          (m.loser_id, false, ${bothSides("loser", "winner")})
        ) AS side (player_id, won, ${serveColumns.map((column) => `${column}, opponent_${column}`).join(", ")})
        WHERE`

const tail = `
      ) AS appearances
      GROUP BY player_id, year, circuit, level, surface`

/** {@link playerYears} of one player, only of matches on or after the day `since`. */
export const yearsOfPlayer = (sql: PgClient.PgClient, playerId: string, since: string): Fragment =>
  playerYears(
    sql,
    sql`(m.winner_id = ${playerId} OR m.loser_id = ${playerId}) AND m.match_date >= ${since}::date`,
    sql`side.player_id = ${playerId}`,
  )
