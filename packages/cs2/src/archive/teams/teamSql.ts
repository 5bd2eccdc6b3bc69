/**
 * SQL expressions for a team's record, form and trends, for statements that begin with {@link teamMatches}. It defines
 * the tables `team` (one row of cs2_teams, or none), `played` (finished matches, where `newest` counts from 1 for the
 * most recent one) and `per_match` (totals of each match).
 */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import { roundedText, shareText } from "../rates.ts"
import { subjectTeamNumberOf } from "../references.ts"
import { visibleResultSql } from "../visibleResults.ts"

/** Bounds of the start time of matches, both inclusive. */
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

/** Maps played to their end. */
export const PLAYED = "g.status = 'completed' AND g.result_type = 'played'"

/** Totals over maps `g`: maps and rounds that `team` has won and lost. `m` is the alias of the matches of the maps. */
const mapColumns = (m: string): string => `
        count(*) AS maps, count(*) FILTER (WHERE g.winner_team_number = team.team_number) AS map_wins,
        count(*) FILTER (WHERE g.winner_team_number <> team.team_number) AS map_losses,
        sum(CASE WHEN ${m}.is_team1 THEN g.team1_score ELSE g.team2_score END) AS rounds_for,
        sum(CASE WHEN ${m}.is_team1 THEN g.team2_score ELSE g.team1_score END) AS rounds_against`

/** JSON fields of `record` (wins, losses and win rate), for queries that group rows of `per_match`. */
const recordText = `'matches', count(*), 'matchWins', count(*) FILTER (WHERE result = 'W'),
      'matchLosses', count(*) FILTER (WHERE result = 'L'),
      'matchWinRate', ${shareText("count(*) FILTER (WHERE result = 'W')", "count(*) FILTER (WHERE result <> 'D')")}`

/** JSON fields of `mapRecord`. `column` returns the SQL expression for the total with the given name. */
const mapRecordText = (column: (name: string) => string): string => {
  const [wins, losses, won, lost] = ["map_wins", "map_losses", "rounds_for", "rounds_against"].map(column)
  return `'maps', ${column("maps")}, 'mapWins', ${wins}, 'mapLosses', ${losses}, 'mapWinRate', ${shareText(`${wins}`, `${wins} + ${losses}`)},
      'roundsFor', ${won}, 'roundsAgainst', ${lost}, 'roundWinRate', ${shareText(`${won}`, `${won} + ${lost}`)}`
}

const summed = (name: string): string => `COALESCE(sum(${name}), 0)`

/** JSON fields of `record`, `mapRecord` and `rating` (mean of the players), for queries that group rows of `per_match`. */
export const recordsText = `${recordText}, ${mapRecordText(summed)},
      'rating', ${roundedText("sum(rated) / NULLIF(sum(rated_rounds), 0)")}`

/** The results of the last 10 matches. */
export const formText = `(
      SELECT jsonb_build_object('results', COALESCE(jsonb_agg(result ORDER BY newest), '[]'),
        'wins', count(*) FILTER (WHERE result = 'W'), 'losses', count(*) FILTER (WHERE result = 'L'),
        'winRate', ${shareText("count(*) FILTER (WHERE result = 'W')", "count(*) FILTER (WHERE result <> 'D')")},
        'streak', COALESCE((SELECT
            (CASE last.result WHEN 'W' THEN 1 WHEN 'L' THEN -1 ELSE 0 END) *
            COALESCE((SELECT min(newest) - 1 FROM played WHERE result <> last.result), (SELECT count(*) FROM played))
          FROM played AS last WHERE newest = 1), 0))
      FROM played WHERE newest <= 10)`

/** The record on each map, most played first. */
export const mapsText = `(
      SELECT COALESCE(jsonb_agg(jsonb_build_object('mapName', map_id, ${mapRecordText((name) => `COALESCE(${name}, 0)`)}, 'picked', picked)
        ORDER BY maps DESC, map_id), '[]')
      FROM (
        SELECT g.map_id, ${mapColumns("m")}, count(*) FILTER (WHERE g.pick_team_number = team.team_number) AS picked
        FROM team, played m JOIN cs2_games g USING (match_number)
        WHERE ${PLAYED} GROUP BY g.map_id) AS by_map)`

/** The record in each month or quarter, oldest first. */
export const periodsText = (unit: "month" | "quarter"): string => `(
      SELECT COALESCE(jsonb_agg(period ORDER BY begins), '[]')
      FROM (
        SELECT begins, jsonb_build_object('period', to_char(begins, '${unit === "month" ? "YYYY-MM" : 'YYYY-"Q"Q'}'),
          'startsAt', iso_utc(begins AT TIME ZONE 'UTC'), ${recordsText}) AS period
        FROM (SELECT *, date_trunc('${unit}', starts_at AT TIME ZONE 'UTC') AS begins FROM per_match) AS dated
        GROUP BY begins) AS by_period)`
