/** Sums of teams by mode and map. `packages/cod/src/rules/analytics/playstyle.ts` describes the sums. */

/** Columns in the order of {@link teamMapsText}. */
export const teamMapColumns =
  "season, team_slug, mode, map_name, maps, wins, picks, points, points_against, line_points, kills, deaths, objectives, objective_maps, last_played"

/** Sums of all teams in the seasons, or since a time. `condition` is a condition on a match `m` and its tournament `t`. */
export const teamMapsText = (condition: string): string => `
  WITH lines AS (
    SELECT l.match_id, l.map_number, l.team_slug, sum(l.kills) AS kills, sum(l.deaths) AS deaths,
      sum(COALESCE(l.hill_time, l.captures, l.plants + l.defuses)) AS objectives
    FROM cod_matches m JOIN cod_tournaments t USING (tournament_id) JOIN cod_player_lines l USING (match_id)
    WHERE m.status = 'completed' AND l.kills IS NOT NULL AND ${condition}
    GROUP BY l.match_id, l.map_number, l.team_slug
  ), played AS (
    SELECT t.season, m.starts_at, side.team_slug, p.mode, p.map_name, p.winner_slug, p.picked_by, p.match_id, p.map_number,
      side.points, side.points_against
    FROM cod_matches m JOIN cod_tournaments t USING (tournament_id) JOIN cod_maps p USING (match_id)
    CROSS JOIN LATERAL (VALUES (m.team1_slug, p.team1_score, p.team2_score), (m.team2_slug, p.team2_score, p.team1_score))
      AS side (team_slug, points, points_against)
    WHERE m.status = 'completed' AND p.played AND ${condition}
  )
  SELECT p.season, p.team_slug, p.mode, p.map_name, count(*)::integer, count(*) FILTER (WHERE p.winner_slug = p.team_slug)::integer,
    count(*) FILTER (WHERE p.picked_by = p.team_slug)::integer, COALESCE(sum(p.points), 0)::integer,
    COALESCE(sum(p.points_against), 0)::integer,
    COALESCE(sum(p.points + p.points_against) FILTER (WHERE l.kills IS NOT NULL), 0)::integer,
    COALESCE(sum(l.kills), 0)::integer, COALESCE(sum(l.deaths), 0)::integer, COALESCE(sum(l.objectives), 0)::integer,
    count(l.objectives)::integer, max(p.starts_at)
  FROM played p LEFT JOIN lines l USING (match_id, map_number, team_slug)
  GROUP BY p.season, p.team_slug, p.mode, p.map_name`
