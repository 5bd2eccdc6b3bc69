/**
 * Adds the tables of the analytics of the Call of Duty League. All rows are computed from the archive by
 * `archive/analytics/writeAnalytics.ts`. Season 0 has the sums of all seasons.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const codAnalytics = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // One row per player and match, and one per player and tournament that has sums but no matches. The latter have an empty
  // match_id and no start.
  yield* sql`
    CREATE TABLE cod_player_facts (
      player_id          text NOT NULL,
      season             integer NOT NULL,
      tournament_id      text NOT NULL,
      match_id           text NOT NULL,
      starts_at          timestamptz,
      start_order        integer NOT NULL,
      team_slug          text,
      opponent_slug      text,
      won                boolean,
      maps               double precision NOT NULL,
      kills              double precision NOT NULL,
      deaths             double precision NOT NULL,
      damage_maps        double precision NOT NULL,
      damage             double precision NOT NULL,
      seconds            double precision NOT NULL,
      timed_kills        double precision NOT NULL,
      damage_seconds     double precision NOT NULL,
      timed_damage       double precision NOT NULL,
      lobby_kills        double precision NOT NULL,
      lobby_mean_kills   double precision NOT NULL,
      hill_maps          double precision NOT NULL,
      hill_time          double precision NOT NULL,
      first_blood_maps   double precision NOT NULL,
      first_bloods       double precision NOT NULL,
      rounds             double precision NOT NULL,
      round_first_bloods double precision NOT NULL,
      trade_deaths       double precision NOT NULL,
      traded_deaths      double precision NOT NULL,
      mate_deaths        double precision NOT NULL,
      trade_kills        double precision NOT NULL,
      clutch_maps        double precision NOT NULL,
      clutch1v1_attempts double precision NOT NULL,
      clutch1v1_wins     double precision NOT NULL,
      clutch1v2_attempts double precision NOT NULL,
      clutch1v2_wins     double precision NOT NULL,
      clutch1v3_attempts double precision NOT NULL,
      clutch1v3_wins     double precision NOT NULL,
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
