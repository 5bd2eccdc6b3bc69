/**
 * SQL that computes a team's record, form and trends from its matches. Surrounding statements begin with {@link
 * teamMatches}. The other fragments read its tables: `team` (one row of cs2_teams, or none), `played` (finished
 * matches; `newest` counts from 1) and `per_match`.
 */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import { roundedText, shareText } from "../rates.ts"
import { teamNumberOf } from "../references.ts"
import { settledText } from "../settled.ts"

/** Bounds of a match's start, inclusive. An undefined bound is open. */
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
        sql.literal(settledText("s")),
        ...(from === undefined ? [] : [sql`s.starts_at >= ${from}`]),
        ...(to === undefined ? [] : [sql`s.starts_at <= ${to}`]),
      ])}`
  return sql`
    WITH team AS (SELECT * FROM cs2_teams WHERE team_number = ${teamNumberOf(sql, reference)}),
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

/** Condition for maps that were played to their end. */
export const PLAYED = "g.status = 'completed' AND g.result_type = 'played'"

/**
 * SQL columns that sum up maps `g` of matches `m`, from the point of view of `team`. Argument: alias of the matches.
 */
const mapColumns = (m: string): string => `
        count(*) AS maps, count(*) FILTER (WHERE g.winner_team_number = team.team_number) AS map_wins,
        count(*) FILTER (WHERE g.winner_team_number <> team.team_number) AS map_losses,
        sum(CASE WHEN ${m}.is_team1 THEN g.team1_score ELSE g.team2_score END) AS rounds_for,
        sum(CASE WHEN ${m}.is_team1 THEN g.team2_score ELSE g.team1_score END) AS rounds_against`

/** JSON fields of `record`, for a query that groups rows of `per_match`. */
const recordText = `'matches', count(*), 'matchWins', count(*) FILTER (WHERE result = 'W'),
      'matchLosses', count(*) FILTER (WHERE result = 'L'),
      'matchWinRate', ${shareText("count(*) FILTER (WHERE result = 'W')", "count(*) FILTER (WHERE result <> 'D')")}`

/** Returns the JSON fields of `mapRecord`. `column` returns the SQL of a sum by its name. */
const mapRecordText = (column: (name: string) => string): string => {
  const [wins, losses, won, lost] = ["map_wins", "map_losses", "rounds_for", "rounds_against"].map(column)
  return `'maps', ${column("maps")}, 'mapWins', ${wins}, 'mapLosses', ${losses}, 'mapWinRate', ${shareText(`${wins}`, `${wins} + ${losses}`)},
      'roundsFor', ${won}, 'roundsAgainst', ${lost}, 'roundWinRate', ${shareText(`${won}`, `${won} + ${lost}`)}`
}

const summed = (name: string): string => `COALESCE(sum(${name}), 0)`

/** JSON fields of `record`, `mapRecord` and `rating`, for a query that groups rows of `per_match`. */
export const recordsText = `${recordText}, ${mapRecordText(summed)},
      'rating', ${roundedText("sum(rated) / NULLIF(sum(rated_rounds), 0)")}`

/** SQL for a team's form over its last 10 matches. */
export const formText = `(
      SELECT jsonb_build_object('results', COALESCE(jsonb_agg(result ORDER BY newest), '[]'),
        'wins', count(*) FILTER (WHERE result = 'W'), 'losses', count(*) FILTER (WHERE result = 'L'),
        'winRate', ${shareText("count(*) FILTER (WHERE result = 'W')", "count(*) FILTER (WHERE result <> 'D')")},
        'streak', COALESCE((SELECT
            (CASE last.result WHEN 'W' THEN 1 WHEN 'L' THEN -1 ELSE 0 END) *
            COALESCE((SELECT min(newest) - 1 FROM played WHERE result <> last.result), (SELECT count(*) FROM played))
          FROM played AS last WHERE newest = 1), 0))
      FROM played WHERE newest <= 10)`

/** SQL for a team's record by map, most played map first. */
export const mapsText = `(
      SELECT COALESCE(jsonb_agg(jsonb_build_object('mapName', map_id, ${mapRecordText((name) => `COALESCE(${name}, 0)`)}, 'picked', picked)
        ORDER BY maps DESC, map_id), '[]')
      FROM (
        SELECT g.map_id, ${mapColumns("m")}, count(*) FILTER (WHERE g.pick_team_number = team.team_number) AS picked
        FROM team, played m JOIN cs2_games g USING (match_number)
        WHERE ${PLAYED} GROUP BY g.map_id) AS by_map)`

/** Returns SQL for a team's records by period. `unit`: length of a period. */
export const periodsText = (unit: "month" | "quarter"): string => `(
      SELECT COALESCE(jsonb_agg(period ORDER BY begins), '[]')
      FROM (
        SELECT begins, jsonb_build_object('period', to_char(begins, '${unit === "month" ? "YYYY-MM" : 'YYYY-"Q"Q'}'),
          'startsAt', iso_utc(begins AT TIME ZONE 'UTC'), ${recordsText}) AS period
        FROM (SELECT *, date_trunc('${unit}', starts_at AT TIME ZONE 'UTC') AS begins FROM per_match) AS dated
        GROUP BY begins) AS by_period)`
