/** Sums and teams of players, from their lines and from the sums of tournaments without matches. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Fragment } from "effect/sql/Statement"

/**
 * Query for the sums by season and mode, with the columns of `cod_player_seasons`. A map counts as played if the player
 * has a line on it, also one without values or with zeros. Players without a map with kills have no row. The sum of a
 * statistic is null if no source counts it. `from` counts only matches that start at this time or later, and no sums of
 * tournaments, because they have no days.
 */
export const playerSums = (sql: PgClient.PgClient, seasons: ReadonlyArray<number>, from?: Date): Fragment => sql`
  WITH facts AS (
    SELECT season, mode, player_id, 1 AS maps_played, kills, deaths, damage, hill_time, first_bloods
    FROM cod_matches
    JOIN cod_tournaments USING (tournament_id)
    JOIN cod_player_lines USING (match_id)
    JOIN cod_maps USING (match_id, map_number)
    WHERE status = 'completed' AND season = ANY(${seasons}::integer[])
      ${from === undefined ? sql`` : sql`AND starts_at >= ${from}`}
    ${
      from === undefined
        ? sql`
            UNION ALL
            SELECT season, mode, player_id, maps_played, kills, deaths, NULL, hill_time, first_bloods
            FROM cod_tournament_totals JOIN cod_tournaments USING (tournament_id)
            WHERE season = ANY(${seasons}::integer[])`
        : sql``
    }
  )
  SELECT season, COALESCE(mode, 'overall') AS mode, player_id, sum(maps_played)::integer AS maps_played,
    sum(kills)::integer AS kills, COALESCE(sum(deaths), 0)::integer AS deaths, sum(damage)::integer AS damage,
    sum(hill_time)::integer AS hill_time, sum(first_bloods)::integer AS first_bloods
  FROM facts GROUP BY season, player_id, GROUPING SETS ((mode), ())
  HAVING count(kills) > 0`

export const writePlayers = Effect.fnUntraced(function* (sql: PgClient.PgClient, seasons: ReadonlyArray<number>) {
  yield* sql`DELETE FROM cod_player_seasons WHERE season = ANY(${seasons}::integer[])`
  yield* sql`
    INSERT INTO cod_player_seasons (season, mode, player_id, maps_played, kills, deaths, damage, hill_time, first_bloods)
    ${playerSums(sql, seasons)}`
  yield* sql`DELETE FROM cod_player_teams WHERE season = 0 OR season = ANY(${seasons}::integer[])`
  yield* sql`
    INSERT INTO cod_player_teams (player_id, season, team_slug)
    SELECT DISTINCT ON (player_id, season) player_id, season, team_slug
    FROM cod_matches JOIN cod_tournaments USING (tournament_id) JOIN cod_player_lines USING (match_id)
    WHERE season = ANY(${seasons}::integer[])
    ORDER BY player_id, season, starts_at DESC, start_order DESC, map_number DESC`
  yield* sql`
    INSERT INTO cod_player_teams (player_id, season, team_slug)
    SELECT DISTINCT ON (player_id) player_id, 0, team_slug FROM cod_player_teams ORDER BY player_id, season DESC`
})
