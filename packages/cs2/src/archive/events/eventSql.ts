/** SQL expressions for the details of one event, for statements that select from `cs2_events e`. */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import { eventStatusText, playerCardJson, teamJson } from "../fragments.ts"
import { visibleResultSql } from "../visibleResults.ts"

/** An `EventStructure`. Null if no source reported one. */
export const structureJson = (sql: PgClient.PgClient): Fragment =>
  sql.literal(`CASE WHEN e.structure IS NULL THEN NULL ELSE (
    SELECT jsonb_build_object('stages', COALESCE(jsonb_agg(jsonb_build_object('name', stage->'name', 'type', stage->'type',
      'rounds', (
        SELECT COALESCE(jsonb_agg(jsonb_build_object('name', phase->'name', 'matches', (
          SELECT COALESCE(jsonb_agg(jsonb_build_object('matchId', cs2_match_id(s.match_number),
            'team1Id', cs2_team_id(s.team1_number), 'team1Name', t1.name, 'team2Id', cs2_team_id(s.team2_number), 'team2Name', t2.name,
            'team1Score', CASE WHEN ${visibleResultSql("s")} THEN s.team1_score END, 'team2Score', CASE WHEN ${visibleResultSql("s")} THEN s.team2_score END,
            'winnerTeamId', CASE WHEN ${visibleResultSql("s")} THEN cs2_team_id(s.winner_team_number) END) ORDER BY match_order), '[]')
          FROM jsonb_array_elements(phase->'matches') WITH ORDINALITY AS m (slot, match_order)
          LEFT JOIN cs2_series s ON s.match_number = (slot->>'matchNumber')::bigint
          LEFT JOIN cs2_teams t1 ON t1.team_number = s.team1_number
          LEFT JOIN cs2_teams t2 ON t2.team_number = s.team2_number)) ORDER BY phase_order), '[]')
        FROM jsonb_array_elements(stage->'rounds') WITH ORDINALITY AS r (phase, phase_order))) ORDER BY stage_order), '[]'))
    FROM jsonb_array_elements(e.structure->'stages') WITH ORDINALITY AS st (stage, stage_order)) END`)

/** The announced prizes or, if none were announced, the prizes that teams received. Null if both are unknown. */
export const prizesJson = (sql: PgClient.PgClient): Fragment =>
  sql.literal(`COALESCE(
    (SELECT jsonb_agg(jsonb_build_object('place', prize->'place', 'teamId', cs2_team_id(t.team_number), 'teamName', t.name,
        'amount', prize->'amount') ORDER BY prize_order)
      FROM jsonb_array_elements(e.prize_distribution) WITH ORDINALITY AS p (prize, prize_order)
      LEFT JOIN cs2_teams t ON t.team_number = (prize->>'teamNumber')::bigint),
    (SELECT jsonb_agg(jsonb_build_object('place', et.placement, 'teamId', cs2_team_id(t.team_number), 'teamName', t.name,
        'amount', et.prize) ORDER BY ${placeOrder}, t.team_number)
      FROM cs2_event_teams et JOIN cs2_teams t USING (team_number)
      WHERE et.event_number = e.event_number AND et.prize IS NOT NULL AND et.placement IS NOT NULL))`)

/** Statistics over all finished matches of an event. Null if no match is finished. */
export const eventStatsJson = (sql: PgClient.PgClient): Fragment =>
  sql.literal(`(
    SELECT CASE WHEN count(*) = 0 THEN NULL ELSE jsonb_build_object('matches', count(*),
      'maps', COALESCE(sum(g.maps), 0), 'rounds', COALESCE(sum(g.rounds), 0),
      'players', (SELECT count(DISTINCT l.player_number) FROM cs2_lineups l JOIN cs2_series s USING (match_number)
        WHERE s.event_number = e.event_number AND ${visibleResultSql("s")} AND l.role = 'player')) END
    FROM cs2_series s
    LEFT JOIN LATERAL (SELECT count(*) AS maps, sum(rounds) AS rounds FROM cs2_games
      WHERE match_number = s.match_number AND status = 'completed' AND result_type = 'played') g ON true
    WHERE s.event_number = e.event_number AND ${visibleResultSql("s")})`)

/** SQL sort key for places such as `1` and `3-4`: the first number in the place. */
const placeOrder = `substring(et.placement FROM '^[0-9]+')::integer NULLS LAST`

/** In group stages, map difference ranks teams with equal records. In brackets and Swiss stages they share a place. */
const hasGroupsOnly = `(e.structure IS NOT NULL AND NOT EXISTS (
      SELECT FROM jsonb_array_elements(e.structure->'stages') AS st WHERE st->>'type' <> 'group'))`

/**
 * Builds the list of `EventStanding` of an event. It is empty before the event begins. Teams whose final place a source
 * reported come first. The others are ranked by matches won and lost and, in events with only group stages, by map
 * difference. Equal teams share a place such as `3-4`. Maps won and lost come from match scores: forfeits count as
 * matches but not as maps.
 */
export const standingsJson = (sql: PgClient.PgClient): Fragment =>
  sql.literal(`(
    SELECT COALESCE(jsonb_agg(jsonb_build_object('place', COALESCE(placement,
        CASE WHEN sharing > 1 THEN ranked || '-' || ranked + sharing - 1 ELSE ranked::text END), 'teamId', cs2_team_id(team_number),
      'teamName', name, 'matchesWon', matches_won, 'matchesLost', matches_lost, 'mapsWon', maps_won, 'mapsLost', maps_lost,
      'prize', prize) ORDER BY ranked, maps_won - maps_lost DESC, team_number), '[]')
    FROM (SELECT *, count(*) OVER (PARTITION BY ranked) AS sharing FROM (
      SELECT t.team_number, t.name, et.placement, et.prize, o.*,
        rank() OVER (ORDER BY ${placeOrder}, o.matches_won DESC, o.matches_lost,
          CASE WHEN ${hasGroupsOnly} THEN o.maps_won - o.maps_lost END DESC) AS ranked
      FROM (
        SELECT team_number AS number, sum(count(winner)) OVER () AS settled, count(*) FILTER (WHERE winner = team_number) AS matches_won,
          count(*) FILTER (WHERE winner <> team_number) AS matches_lost,
          COALESCE(sum(won) FILTER (WHERE NOT forfeit), 0) AS maps_won, COALESCE(sum(lost) FILTER (WHERE NOT forfeit), 0) AS maps_lost
        FROM (
          SELECT team_number, NULL::bigint, NULL::integer, NULL::integer, false FROM cs2_event_teams WHERE event_number = e.event_number
          UNION ALL
          SELECT team1_number, winner_team_number, team1_score, team2_score, is_forfeit FROM cs2_series s
          WHERE event_number = e.event_number AND ${visibleResultSql("s")}
          UNION ALL
          SELECT team2_number, winner_team_number, team2_score, team1_score, is_forfeit FROM cs2_series s
          WHERE event_number = e.event_number AND ${visibleResultSql("s")}
        ) AS side (team_number, winner, won, lost, forfeit)
        GROUP BY team_number) o
      JOIN cs2_teams t ON t.team_number = o.number
      LEFT JOIN cs2_event_teams et ON et.event_number = e.event_number AND et.team_number = o.number
      WHERE ${eventStatusText("e")} <> 'upcoming' OR o.settled > 0
    ) AS placed) AS table_of_event)`)

/** Needs a row of `cs2_event_teams et` and its row of `cs2_teams t`. */
export const participantJson = (sql: PgClient.PgClient): Fragment =>
  sql`(
    SELECT jsonb_build_object('team', ${teamJson(sql, "t")}, 'seed', et.seed, 'placement', et.placement, 'prize', et.prize,
      'matchesPlayed', count(*), 'matchesWon', count(*) FILTER (WHERE s.winner_team_number = et.team_number),
      'matchesLost', count(*) FILTER (WHERE s.winner_team_number <> et.team_number),
      'players', (SELECT COALESCE(jsonb_agg(${playerCardJson(sql, "p")} ORDER BY lower(p.nickname), p.player_number), '[]')
        FROM cs2_players p WHERE p.player_number IN (
          SELECT l.player_number FROM cs2_series m JOIN cs2_lineups l USING (match_number)
          WHERE m.event_number = et.event_number AND et.team_number IN (m.team1_number, m.team2_number)
            AND l.team_number = et.team_number AND l.role = 'player')))
    FROM cs2_series s
    WHERE s.event_number = et.event_number AND ${sql.literal(visibleResultSql("s"))} AND et.team_number IN (s.team1_number, s.team2_number))`
