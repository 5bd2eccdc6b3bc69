/**
 * Adds the tables of the analytics of the Call of Duty League. All rows are computed from the archive by
 * `cod/analytics/writeAnalytics.ts`. Season 0 has the sums of all seasons.
 */
import { sumFields } from "@matchpoint/domain/cod/analytics/playerSums"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { sumColumn } from "../cod/analytics/playerFacts.ts"

export const codAnalytics = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sums = sql.literal(sumFields.map((field) => `${sumColumn(field)} double precision NOT NULL`).join(", "))

  // One row per player and match, and one per player and tournament that has sums but no matches. The latter have an empty
  // match_id and no start.
  yield* sql`
    CREATE TABLE cod_player_facts (
      player_id     text NOT NULL,
      season        integer NOT NULL,
      tournament_id text NOT NULL,
      match_id      text NOT NULL,
      starts_at     timestamptz,
      start_order   integer NOT NULL,
      team_slug     text,
      opponent_slug text,
      won           boolean,
      ${sums},
      PRIMARY KEY (player_id, tournament_id, match_id)
    )`
  yield* sql`CREATE INDEX ON cod_player_facts (season)`
  yield* sql`CREATE INDEX ON cod_player_facts (starts_at)`

  yield* sql`
    CREATE TABLE cod_analytics_boards (
      season    integer NOT NULL,
      stat      text NOT NULL,
      player_id text NOT NULL,
      position  integer NOT NULL,
      rank      integer NOT NULL,
      value     double precision NOT NULL,
      sample    double precision NOT NULL,
      PRIMARY KEY (season, stat, position)
    )`
  yield* sql`CREATE INDEX ON cod_analytics_boards (player_id, season)`

  yield* sql`
    CREATE TABLE cod_team_maps (
      season         integer NOT NULL,
      team_slug      text NOT NULL,
      mode           text NOT NULL,
      map_name       text NOT NULL,
      maps           integer NOT NULL,
      wins           integer NOT NULL,
      picks          integer NOT NULL,
      points         integer NOT NULL,
      points_against integer NOT NULL,
      line_points    integer NOT NULL,
      kills          integer NOT NULL,
      deaths         integer NOT NULL,
      objectives     integer NOT NULL,
      objective_maps integer NOT NULL,
      last_played    timestamptz NOT NULL,
      PRIMARY KEY (season, team_slug, mode, map_name)
    )`
})
