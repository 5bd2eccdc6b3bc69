/** Names by which the search finds players, teams and tournaments. Only differences are written. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"

const namesText = `
  SELECT 'player' AS kind, player_id AS id, lower(name) AS name
  FROM cod_players CROSS JOIN LATERAL (VALUES (player_id), (ign), (real_name)) AS names (name) WHERE name IS NOT NULL
  UNION SELECT 'team', slug, lower(spelling)
  FROM cod_teams CROSS JOIN LATERAL (VALUES (slug), (name), (short_name)) AS names (spelling) WHERE spelling IS NOT NULL
  UNION SELECT 'tournament', tournament_id, lower(name) FROM cod_tournaments`

export const writeNames = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  yield* sql`DELETE FROM cod_names WHERE (kind, id, name) NOT IN (${sql.literal(namesText)})`
  yield* sql`INSERT INTO cod_names (kind, id, name) ${sql.literal(namesText)} ON CONFLICT DO NOTHING`
})
