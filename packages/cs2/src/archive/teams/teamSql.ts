/**
 * SQL expressions that compute a team's record, form and trends from its matches. They must be used in statements that
 * begin with {@link teamMatches}, which defines three tables for them: `team` (one row of cs2_teams, or none), `played`
 * (finished matches, where the column `newest` counts from 1 for the most recent one) and `per_match` (totals of each
 * match).
 */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import { roundedText, shareText } from "../rates.ts"
import { subjectTeamNumberOf } from "../references.ts"
import { visibleResultSql } from "../visibleResults.ts"

/** Selects matches by start time. Both bounds are inclusive. An undefined bound does not restrict the selection. */
export interface Span {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

export const teamMatches = (sql: PgClient.PgClient, reference: string, { from, to }: Span): Fragment => {
  const side = (own: "team1" | "team2") => sql`
      SELECT s.match_number, s.starts_at, ${sql.literal(own === "team1" ? "true" : "false")} AS is_team1,
        CASE WHEN s.winner_team_number IS NULL THEN 'D' WHEN s.winner_team_number = team.team_number THEN 'W' ELSE 'L' END AS result
      FROM team JOIN cs2_series s ON ${sql.literal(`s.${own}_number`)} = team.team_number
      WHERE ${sql.and([
        sql.literal(visibleResultSql("s")),
        ...(from === undefined ? [] : [sql`s.starts_at >= ${from}`]),
        ...(to === undefined ? [] : [sql`s.starts_at <= ${to}`]),
      ])}`
  return sql`
    WITH team AS (SELECT * FROM cs2_teams WHERE team_number = ${subjectTeamNumberOf(sql, reference)}),
    played AS (
      SELECT m.*, row_number() OVER (ORDER BY m.starts_at DESC, m.match_number DESC) AS newest
      FROM (${side("team1")} UNION ALL ${side("team2")}) AS m),
    rated AS (
      SELECT l.match_number, sum(l.rating * l.rounds) AS rated, sum(l.rounds) FILTER (WHERE l.rating IS NOT NULL) AS rated_rounds
      FROM team JOIN cs2_player_games l ON l.team_number = team.team_number
      GROUP BY l.match_number),
    per_match AS (
      SELECT m.*, g.*, rated.rated, rated.rated_rounds
      FROM played m
      LEFT JOIN rated USING (match_number)
      CROSS JOIN LATERAL (SELECT ${sql.literal(mapColumns("m"))} FROM cs2_games g, team
        WHERE g.match_number = m.match_number AND ${sql.literal(PLAYED)}) AS g)`
}

/** SQL condition that selects maps that were played to their end. */
export const PLAYED = "g.status = 'completed' AND g.result_type = 'played'"

/**
 * SQL list of columns with totals over maps `g`: maps and rounds that `team` has won and lost. `m` is the alias of the
 * matches to which the maps belong.
 */
const mapColumns = (m: string): string => `
        count(*) AS maps, count(*) FILTER (WHERE g.winner_team_number = team.team_number) AS map_wins,
        count(*) FILTER (WHERE g.winner_team_number <> team.team_number) AS map_losses,
        sum(CASE WHEN ${m}.is_team1 THEN g.team1_score ELSE g.team2_score END) AS rounds_for,
        sum(CASE WHEN ${m}.is_team1 THEN g.team2_score ELSE g.team1_score END) AS rounds_against`

/**
 * SQL for the JSON fields of `record`, which is a team's match record (wins, losses and win rate). Used in queries that
 * group rows of `per_match`.
 */
const recordText = `'matches', count(*), 'matchWins', count(*) FILTER (WHERE result = 'W'),
      'matchLosses', count(*) FILTER (WHERE result = 'L'),
      'matchWinRate', ${shareText("count(*) FILTER (WHERE result = 'W')", "count(*) FILTER (WHERE result <> 'D')")}`

/**
 * Returns SQL for the JSON fields of `mapRecord`: maps and rounds that a team has won and lost. `column` is a function
 * that returns the SQL expression for the total with the given name.
 */
const mapRecordText = (column: (name: string) => string): string => {
  const [wins, losses, won, lost] = ["map_wins", "map_losses", "rounds_for", "rounds_against"].map(column)
  return `'maps', ${column("maps")}, 'mapWins', ${wins}, 'mapLosses', ${losses}, 'mapWinRate', ${shareText(`${wins}`, `${wins} + ${losses}`)},
      'roundsFor', ${won}, 'roundsAgainst', ${lost}, 'roundWinRate', ${shareText(`${won}`, `${won} + ${lost}`)}`
}

const summed = (name: string): string => `COALESCE(sum(${name}), 0)`

/**
 * SQL for the JSON fields of `record` (a team's match record), `mapRecord` (its record on maps) and `rating` (the mean
 * rating of its players). Used in queries that group rows of `per_match`.
 */
export const recordsText = `${recordText}, ${mapRecordText(summed)},
      'rating', ${roundedText("sum(rated) / NULLIF(sum(rated_rounds), 0)")}`

/** SQL expression that builds a team's form: its results in the last 10 matches. */
export const formText = `(
      SELECT jsonb_build_object('results', COALESCE(jsonb_agg(result ORDER BY newest), '[]'),
        'wins', count(*) FILTER (WHERE result = 'W'), 'losses', count(*) FILTER (WHERE result = 'L'),
        'winRate', ${shareText("count(*) FILTER (WHERE result = 'W')", "count(*) FILTER (WHERE result <> 'D')")},
        'streak', COALESCE((SELECT
            (CASE last.result WHEN 'W' THEN 1 WHEN 'L' THEN -1 ELSE 0 END) *
            COALESCE((SELECT min(newest) - 1 FROM played WHERE result <> last.result), (SELECT count(*) FROM played))
          FROM played AS last WHERE newest = 1), 0))
      FROM played WHERE newest <= 10)`

/** SQL expression that builds a team's record on each game map, most played map first. */
export const mapsText = `(
      SELECT COALESCE(jsonb_agg(jsonb_build_object('mapName', map_id, ${mapRecordText((name) => `COALESCE(${name}, 0)`)}, 'picked', picked)
        ORDER BY maps DESC, map_id), '[]')
      FROM (
        SELECT g.map_id, ${mapColumns("m")}, count(*) FILTER (WHERE g.pick_team_number = team.team_number) AS picked
        FROM team, played m JOIN cs2_games g USING (match_number)
        WHERE ${PLAYED} GROUP BY g.map_id) AS by_map)`

/**
 * Returns an SQL expression that builds a team's record in each month or quarter, oldest first. `unit` is the length of
 * the periods.
 */
export const periodsText = (unit: "month" | "quarter"): string => `(
      SELECT COALESCE(jsonb_agg(period ORDER BY begins), '[]')
      FROM (
        SELECT begins, jsonb_build_object('period', to_char(begins, '${unit === "month" ? "YYYY-MM" : 'YYYY-"Q"Q'}'),
          'startsAt', iso_utc(begins AT TIME ZONE 'UTC'), ${recordsText}) AS period
        FROM (SELECT *, date_trunc('${unit}', starts_at AT TIME ZONE 'UTC') AS begins FROM per_match) AS dated
        GROUP BY begins) AS by_period)`
