/** SQL expressions that build matches, results and head-to-heads, for statements that select from `cs2_series s`. */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import { matchJson, playerCardText, teamText } from "../fragments.ts"
import { gameScoreText } from "./gameFragments.ts"

/** The match summary plus the score of every map that was played. */
export const matchResultJson = (sql: PgClient.PgClient): Fragment =>
  sql`${matchJson(sql, "s", "t1", "t2", "e")} || ${sql.literal(`jsonb_build_object('maps', COALESCE((
      SELECT jsonb_agg(${gameScoreText("g")} ORDER BY g.map_number)
      FROM cs2_games g WHERE g.match_number = s.match_number AND g.result_type <> 'unplayed'), '[]'))`)}`

const lineupOf = (team: string): string => `COALESCE((
      SELECT jsonb_agg(${playerCardText("p")} || jsonb_build_object('role', u.role) ORDER BY u.role = 'coach', lower(p.nickname), p.player_number)
      FROM cs2_lineups u JOIN cs2_players p ON p.player_number = u.player_number
      WHERE u.match_number = s.match_number AND u.team_number = ${team}), '[]')`

/** True if the table has a row for the match. Reads one index entry; EXISTS would scan the whole table. */
const ofMatch = (table: string, key = "map_number"): string =>
  `((SELECT min(x.${key}) FROM ${table} x WHERE x.match_number = s.match_number) IS NOT NULL)`

const subresources = (available: boolean): string => `to_jsonb(array_remove(ARRAY[
      CASE WHEN ${ofMatch("cs2_games")} = ${available} THEN 'games' END,
      CASE WHEN ${ofMatch("cs2_games")} = ${available} THEN 'maps' END,
      CASE WHEN ${ofMatch("cs2_player_games")} = ${available} THEN 'player-stats' END,
      CASE WHEN ${ofMatch("cs2_rounds")} = ${available} THEN 'rounds' END,
      CASE WHEN ${ofMatch("cs2_game_events")} = ${available} THEN 'events' END,
      CASE WHEN ${ofMatch("cs2_lineups", "player_number")} = ${available} THEN 'lineups' END,
      CASE WHEN (jsonb_array_length(COALESCE(s.demo_links, '[]')) > 0) = ${available} THEN 'demos' END], NULL))`

/** Link to a demo in the format of the API response. Some importers stored only the URL, as a string. */
const demoLinkText = `CASE jsonb_typeof(d)
        WHEN 'string' THEN jsonb_build_object('url', d, 'platform', NULL, 'language', NULL)
        ELSE jsonb_build_object('url', d->'url', 'platform', d->'platform', 'language', d->'language') END`

const demoLinksText = `COALESCE((
      SELECT jsonb_agg(${demoLinkText} ORDER BY place)
      FROM jsonb_array_elements(s.demo_links) WITH ORDINALITY AS links (d, place)), '[]')`

export const demoLinksJson = (sql: PgClient.PgClient): Fragment => sql.literal(demoLinksText)

/** The head-to-head in it is limited to matches that started at or after `since`. */
export const matchDetailJson = (sql: PgClient.PgClient, since: Date | undefined): Fragment =>
  sql`${matchResultJson(sql)} || ${sql.literal(`jsonb_build_object(
    'entityType', 'cs2_match', 'startsPrecision', s.starts_precision, 'isLan', s.is_lan, 'isForfeit', s.is_forfeit,
    'teams', jsonb_build_object('team1', ${teamText("t1")}, 'team2', ${teamText("t2")}),
    'lineups', jsonb_build_object('team1', ${lineupOf("s.team1_number")}, 'team2', ${lineupOf("s.team2_number")}),
    'demoLinks', ${demoLinksText}, 'availableSubresources', ${subresources(true)}, 'unavailableSubresources', ${subresources(false)},`)}
    'headToHead', ${headToHeadJson(sql, "s.team1_number", "s.team2_number", [
      sql.literal("(m.starts_at, m.match_number) < (s.starts_at, s.match_number)"),
      ...(since === undefined ? [] : [sql`m.starts_at >= ${since}`]),
    ])})`

/** Computed from completed matches `m` that meet the conditions. `a` and `b` are SQL for the numbers of the teams. */
export const headToHeadJson = (sql: PgClient.PgClient, a: string, b: string, conditions: ReadonlyArray<Fragment>): Fragment =>
  sql`(
    WITH met AS MATERIALIZED (
      SELECT m.match_number, m.starts_at, m.best_of, m.winner_team_number, me.name AS event_name,
        CASE WHEN m.team1_number = ${sql.literal(a)} THEN m.team1_score ELSE m.team2_score END AS score_a,
        CASE WHEN m.team1_number = ${sql.literal(a)} THEN m.team2_score ELSE m.team1_score END AS score_b
      FROM cs2_series m LEFT JOIN cs2_events me ON me.event_number = m.event_number
      WHERE ${sql.literal(`((m.team1_number = ${a} AND m.team2_number = ${b}) OR (m.team1_number = ${b} AND m.team2_number = ${a}))`)}
        AND ${sql.and([sql.literal("m.status = 'completed'"), ...conditions])}),
    ${sql.literal(`balance AS (
      SELECT mg.map_id, count(*) AS played, count(*) FILTER (WHERE mg.winner_team_number = ${a}) AS won_a,
        count(*) FILTER (WHERE mg.winner_team_number = ${b}) AS won_b
      FROM met JOIN cs2_games mg ON mg.match_number = met.match_number
      WHERE mg.status = 'completed' AND mg.result_type = 'played'
      GROUP BY mg.map_id)
    SELECT jsonb_build_object(
      'matches', (SELECT count(*) FROM met),
      'team1Wins', (SELECT count(*) FROM met WHERE met.winner_team_number = ${a}),
      'team2Wins', (SELECT count(*) FROM met WHERE met.winner_team_number = ${b}),
      'mapsPlayed', (SELECT COALESCE(sum(played), 0) FROM balance),
      'team1MapWins', (SELECT COALESCE(sum(won_a), 0) FROM balance),
      'team2MapWins', (SELECT COALESCE(sum(won_b), 0) FROM balance),
      'maps', (SELECT COALESCE(jsonb_agg(jsonb_build_object('mapName', map_id, 'played', played, 'team1Wins', won_a, 'team2Wins', won_b)
        ORDER BY played DESC, map_id), '[]') FROM balance),
      'recent', (SELECT COALESCE(jsonb_agg(jsonb_build_object('matchId', cs2_match_id(match_number), 'startsAt', iso_utc(starts_at),
          'eventName', event_name, 'bestOf', best_of, 'team1Score', score_a, 'team2Score', score_b,
          'winnerTeamId', cs2_team_id(winner_team_number)) ORDER BY starts_at DESC, match_number DESC), '[]')
        FROM (SELECT * FROM met ORDER BY starts_at DESC, match_number DESC LIMIT 5) AS newest)))`)}`
