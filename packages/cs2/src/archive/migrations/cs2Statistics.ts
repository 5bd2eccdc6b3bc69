/**
 * Creates the tables for precomputed CS2 statistics: one row per entity and time window (`window_days`, 0 for the whole
 * archive). Only `StatsRefresh` writes to them. Part of migration 0003.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Defines the indexes on the player statistics. Each key is a column by which players can be sorted (highest value
 * first), and its value names the columns by which that sorted list is filtered. The index contains all these columns,
 * so that the rows of the list can be counted with an index-only scan.
 */
const PLAYER_ORDERS = {
  kills: "maps",
  rating: "maps",
  adr: "maps",
  kast: "maps",
  kd: "maps",
  opening_kills: "opening_maps",
  clutches_won: "clutch_maps, clutch_attempts",
  flash_assists: "flash_maps",
  utility_events: "utility_maps",
  total_spend: "economy_maps",
}

export const cs2Statistics = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // State of the statistics computation, a table with a single row. `holder` is the process that is computing, and
  // `started_at` the time at which it began. `requested_at` is the time of the latest write that the statistics may not
  // include yet.
  yield* sql`
    CREATE TABLE cs2_stats_state (
      only_row      boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      holder        uuid,
      requested_at  timestamptz,
      started_at    timestamptz,
      -- Time that the numbers refer to, and duration of the last computation.
      refreshed_at  timestamptz,
      took_ms       integer
    )`
  yield* sql`INSERT INTO cs2_stats_state DEFAULT VALUES`

  // Statistics of players. The columns form groups, such as clutches or economy. If no map provides data for a group,
  // its columns are null. Each group has a column with the number of maps that do provide data.
  yield* sql`
    CREATE TABLE cs2_stats_players (
      window_days        integer NOT NULL,
      player_number      bigint NOT NULL REFERENCES cs2_players ON DELETE CASCADE,
      team_number        bigint NOT NULL REFERENCES cs2_teams ON DELETE CASCADE,
      maps               integer NOT NULL,
      kills              bigint NOT NULL,
      deaths             bigint NOT NULL,
      assists            bigint,
      adr                double precision,
      kast               double precision,
      rating             double precision,
      kd                 double precision NOT NULL,
      kills_plus_assists_per_death double precision,
      opening_maps       integer NOT NULL,
      opening_kills      bigint,
      opening_deaths     bigint,
      clutch_maps        integer NOT NULL,
      clutch_attempts    bigint,
      clutches_won       bigint,
      wins_1v1           bigint,
      wins_1v2           bigint,
      wins_1v3_plus      bigint,
      flash_maps         integer NOT NULL,
      flash_assists      bigint,
      utility_maps       integer NOT NULL,
      utility_events     bigint,
      flashes            bigint,
      smokes             bigint,
      fire_grenades      bigint,
      he_grenades        bigint,
      decoys             bigint,
      economy_maps       integer NOT NULL,
      purchases          bigint,
      total_spend        bigint,
      equipment_value    bigint,
      equipment_snapshots bigint,
      full_buy_rounds    bigint,
      half_buy_rounds    bigint,
      force_buy_rounds   bigint,
      eco_or_pistol_rounds bigint,
      source             text NOT NULL,
      last_synced_at     timestamptz NOT NULL,
      PRIMARY KEY (window_days, player_number)
    )`
  for (const [column, counted] of Object.entries(PLAYER_ORDERS)) {
    const order = sql.literal(column)
    yield* sql`
      CREATE INDEX ${sql.literal(`cs2_stats_players_${column}`)} ON cs2_stats_players (window_days, ${order} DESC, player_number)
      INCLUDE (${sql.literal(counted)})`
  }

  yield* sql`
    CREATE TABLE cs2_stats_teams (
      window_days       integer NOT NULL,
      team_number       bigint NOT NULL REFERENCES cs2_teams ON DELETE CASCADE,
      matches           integer NOT NULL,
      match_wins        integer NOT NULL,
      match_win_percent double precision,
      maps              integer NOT NULL,
      map_wins          integer NOT NULL,
      map_losses        integer NOT NULL,
      map_win_percent   double precision,
      rounds_for        bigint NOT NULL,
      rounds_against    bigint NOT NULL,
      round_win_percent double precision,
      PRIMARY KEY (window_days, team_number)
    )`
  yield* sql`
    CREATE INDEX cs2_stats_teams_wins ON cs2_stats_teams (window_days, match_win_percent DESC NULLS LAST, matches DESC, team_number)
    INCLUDE (maps)`

  yield* sql`
    CREATE TABLE cs2_stats_pistols (
      window_days      integer NOT NULL,
      team_number      bigint NOT NULL REFERENCES cs2_teams ON DELETE CASCADE,
      maps             integer NOT NULL,
      played           integer NOT NULL,
      won              integer NOT NULL,
      win_percent      double precision NOT NULL,
      first_half_wins  integer NOT NULL,
      second_half_wins integer NOT NULL,
      ct_win_percent   double precision,
      t_win_percent    double precision,
      PRIMARY KEY (window_days, team_number)
    )`
  yield* sql`
    CREATE INDEX cs2_stats_pistols_wins ON cs2_stats_pistols (window_days, win_percent DESC, played DESC, team_number) INCLUDE (maps)`

  yield* sql`
    CREATE TABLE cs2_stats_maps (
      window_days integer NOT NULL,
      map_id      text NOT NULL,
      maps_played integer NOT NULL,
      share       double precision NOT NULL,
      PRIMARY KEY (window_days, map_id)
    )`

  yield* sql`
    CREATE TABLE cs2_stats_weapons (
      window_days integer NOT NULL,
      weapon      text NOT NULL,
      kills       bigint NOT NULL,
      headshots   bigint NOT NULL,
      kill_share  double precision,
      maps        integer NOT NULL,
      PRIMARY KEY (window_days, weapon)
    )`

  // Index of the pistol rounds, that is, the first round of each half (rounds 1 and 13).
  yield* sql`
    CREATE INDEX cs2_rounds_pistols ON cs2_rounds (match_number, map_number, round)
    INCLUDE (ct_team_number, t_team_number, winner_team_number) WHERE round IN (1, 13)`
})
