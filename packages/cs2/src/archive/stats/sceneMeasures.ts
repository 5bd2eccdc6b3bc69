/**
 * Computes the statistics of teams, maps and weapons in a time window. Only maps played to their end and matches
 * without forfeit count. A percentage is 100 * won / played, or null if nothing was played. `OFFSET 0` prevents
 * PostgreSQL from merging a subquery into the outer query, so that the rows of each map are looked up by index instead
 * of scanning the whole table.
 */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import { excludeSimulatedSql } from "../excludeSimulated.ts"
import { inWindow, type StatsWindow } from "./window.ts"

const percent = (won: string, played: string): string => `100.0::double precision * (${won}) / NULLIF(${played}, 0)`

const playedMaps = (sql: PgClient.PgClient, window: StatsWindow): Fragment =>
  sql`g.status = 'completed' AND g.result_type = 'played' AND ${inWindow(sql, window, "g.played_at", "g.match_number")}
    AND ${sql.literal(excludeSimulatedSql("g"))}`

export const TEAM_COLUMNS =
  "team_number, matches, match_wins, match_win_percent, maps, map_wins, map_losses, map_win_percent, rounds_for, rounds_against, round_win_percent"

/**
 * Number of the team of match `s` that the current row of `side` means. CASE, because building a list of both teams for
 * each match would take longer than the counting itself.
 */
const OWN_TEAM = "(CASE WHEN side.is_first THEN s.team1_number ELSE s.team2_number END)"

export const teamMeasures = (sql: PgClient.PgClient, window: StatsWindow): Fragment => sql`
  SELECT team_number, COALESCE(m.matches, 0) AS matches, COALESCE(m.match_wins, 0) AS match_wins,
    ${sql.literal(percent("m.match_wins", "m.matches"))} AS match_win_percent,
    COALESCE(p.maps, 0) AS maps, COALESCE(p.map_wins, 0) AS map_wins, COALESCE(p.map_losses, 0) AS map_losses,
    ${sql.literal(percent("p.map_wins", "p.maps"))} AS map_win_percent,
    COALESCE(p.rounds_for, 0) AS rounds_for, COALESCE(p.rounds_against, 0) AS rounds_against,
    ${sql.literal(percent("p.rounds_for", "p.rounds_for + p.rounds_against"))} AS round_win_percent
  FROM (
    SELECT ${sql.literal(OWN_TEAM)} AS team_number, count(*)::integer AS matches,
      (count(*) FILTER (WHERE s.winner_team_number = ${sql.literal(OWN_TEAM)}))::integer AS match_wins
    FROM cs2_series s CROSS JOIN (VALUES (true), (false)) AS side (is_first)
    WHERE s.status = 'completed' AND NOT s.is_forfeit AND ${inWindow(sql, window, "s.starts_at", "s.match_number")}
      AND ${sql.literal(excludeSimulatedSql("s"))}
    GROUP BY 1
  ) m
  FULL JOIN (
    SELECT ${sql.literal(OWN_TEAM)} AS team_number, count(*)::integer AS maps,
      (count(*) FILTER (WHERE g.winner_team_number = ${sql.literal(OWN_TEAM)}))::integer AS map_wins,
      (count(*) FILTER (WHERE g.winner_team_number <> ${sql.literal(OWN_TEAM)}))::integer AS map_losses,
      COALESCE(sum(CASE WHEN side.is_first THEN g.team1_score ELSE g.team2_score END), 0)::bigint AS rounds_for,
      COALESCE(sum(CASE WHEN side.is_first THEN g.team2_score ELSE g.team1_score END), 0)::bigint AS rounds_against
    FROM cs2_games g JOIN cs2_series s ON s.match_number = g.match_number CROSS JOIN (VALUES (true), (false)) AS side (is_first)
    WHERE ${playedMaps(sql, window)}
    GROUP BY 1
  ) p USING (team_number)`

export const PISTOL_COLUMNS =
  "team_number, maps, played, won, win_percent, first_half_wins, second_half_wins, ct_win_percent, t_win_percent"

/** Pistol rounds are the first rounds of each half (rounds 1 and 13). */
export const pistolMeasures = (sql: PgClient.PgClient, window: StatsWindow): Fragment => sql`
  SELECT side.team_number, count(DISTINCT (r.match_number, r.map_number))::integer AS maps, count(*)::integer AS played,
    (count(*) FILTER (WHERE side.won))::integer AS won,
    ${sql.literal(percent("count(*) FILTER (WHERE side.won)", "count(*)"))} AS win_percent,
    (count(*) FILTER (WHERE side.won AND r.round = 1))::integer AS first_half_wins,
    (count(*) FILTER (WHERE side.won AND r.round = 13))::integer AS second_half_wins,
    ${sql.literal(percent("count(*) FILTER (WHERE side.won AND side.ct)", "count(*) FILTER (WHERE side.ct)"))} AS ct_win_percent,
    ${sql.literal(percent("count(*) FILTER (WHERE side.won AND NOT side.ct)", "count(*) FILTER (WHERE NOT side.ct)"))} AS t_win_percent
  FROM cs2_games g CROSS JOIN LATERAL (
    SELECT * FROM cs2_rounds r WHERE r.match_number = g.match_number AND r.map_number = g.map_number AND r.round IN (1, 13) OFFSET 0
  ) r
  CROSS JOIN LATERAL (VALUES (r.ct_team_number, true, r.winner_team_number = r.ct_team_number),
    (r.t_team_number, false, r.winner_team_number = r.t_team_number)) AS side (team_number, ct, won)
  WHERE ${playedMaps(sql, window)} AND g.detail = 'rounds'
  GROUP BY side.team_number`

export const MAP_COLUMNS = "map_id, maps_played, share"

export const mapMeasures = (sql: PgClient.PgClient, window: StatsWindow): Fragment => sql`
  SELECT g.map_id, count(*)::integer AS maps_played, count(*)::double precision / sum(count(*)) OVER () AS share
  FROM cs2_games g WHERE ${playedMaps(sql, window)}
  GROUP BY g.map_id`

export const WEAPON_COLUMNS = "weapon, kills, headshots, kill_share, maps"

export const weaponMeasures = (sql: PgClient.PgClient, window: StatsWindow): Fragment => sql`
  SELECT m.weapon, sum(m.kills)::bigint AS kills, sum(m.headshots)::bigint AS headshots,
    sum(m.kills)::double precision / NULLIF(sum(sum(m.kills)) OVER (), 0) AS kill_share, count(*)::integer AS maps
  FROM (
    SELECT w.weapon, w.match_number, w.map_number, sum(w.kills) AS kills, sum(w.headshots) AS headshots
    FROM cs2_games g CROSS JOIN LATERAL (
      SELECT * FROM cs2_weapon_games w WHERE w.match_number = g.match_number AND w.map_number = g.map_number OFFSET 0
    ) w
    WHERE ${playedMaps(sql, window)} AND g.detail <> 'score'
    GROUP BY w.weapon, w.match_number, w.map_number
  ) m
  GROUP BY m.weapon`
