/**
 * Names by which the search finds players, teams and tournaments, with the weight of each: the logarithm of the maps of
 * a player, or of the matches of a team or tournament. Only differences are written.
 */
import type { PgClient } from "@effect/sql-pg"
import { foldedText } from "@matchpoint/store/names/foldedText"
import { Effect } from "effect"

const namesText = `
  WITH players AS (
    SELECT player_id AS id, ign, real_name,
      ln(1 + COALESCE((SELECT sum(s.maps_played) FROM cod_player_seasons s WHERE s.player_id = p.player_id AND s.mode = 'overall'), 0)) AS weight
    FROM cod_players p
  ), played AS (
    SELECT tournament_id, team_slug FROM cod_matches CROSS JOIN LATERAL (VALUES (team1_slug), (team2_slug)) AS teams (team_slug)
  ), teams AS (
    SELECT slug AS id, name, short_name, ln(1 + (SELECT count(*) FROM played WHERE team_slug = t.slug)) AS weight FROM cod_teams t
  ), tournaments AS (
    SELECT tournament_id AS id, name, ln(1 + (SELECT count(*) FROM played p WHERE p.tournament_id = t.tournament_id)) AS weight
    FROM cod_tournaments t
  ), spelled AS (
    SELECT 'player' AS kind, id, weight, spelling FROM players CROSS JOIN LATERAL (VALUES (id), (ign), (real_name)) AS names (spelling)
    UNION SELECT 'team', id, weight, spelling FROM teams CROSS JOIN LATERAL (VALUES (id), (name), (short_name)) AS names (spelling)
    UNION SELECT 'tournament', id, weight, name FROM tournaments
  )
  SELECT kind, id, ${foldedText("spelling")} AS name, weight::real FROM spelled WHERE spelling IS NOT NULL
  UNION SELECT kind, id, ${foldedText("spelling", "spelled out")}, weight::real FROM spelled WHERE spelling ~ '[^\\u0020-\\u007e]'`

export const writeNames = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  const names = sql.literal(namesText)
  yield* sql`DELETE FROM cod_names WHERE (kind, id, name, weight) NOT IN (SELECT * FROM (${names}) AS current)`
  yield* sql`INSERT INTO cod_names (kind, id, name, weight) ${names} ON CONFLICT DO NOTHING`
})
