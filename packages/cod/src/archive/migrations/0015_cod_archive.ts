/**
 * Adds the archive of the Call of Duty League. The rows are described in `packages/cod/src/rules/archive/rows.ts`.
 * `CodArchiveWriter` writes them, and `archive/summaries` computes the tables of sums.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const codArchive = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE cod_teams (
      slug       text PRIMARY KEY,
      name       text NOT NULL,
      short_name text,
      logo_url   text,
      simulated  boolean NOT NULL
    )`

  yield* sql`
    CREATE TABLE cod_players (
      player_id text PRIMARY KEY,
      ign       text NOT NULL,
      real_name text,
      image_url text,
      simulated boolean NOT NULL
    )`

  yield* sql`
    CREATE TABLE cod_tournaments (
      tournament_id  text PRIMARY KEY,
      season         integer NOT NULL,
      name           text NOT NULL,
      stage          text,
      is_league      boolean NOT NULL,
      points_per_win integer,
      prize_pool     numeric(14, 2),
      simulated      boolean NOT NULL
    )`
  yield* sql`CREATE INDEX ON cod_tournaments (season)`

  yield* sql`
    CREATE TABLE cod_season_teams (
      season    integer NOT NULL,
      team_slug text NOT NULL,
      PRIMARY KEY (season, team_slug)
    )`

  yield* sql`
    CREATE TABLE cod_tournament_results (
      tournament_id text NOT NULL,
      team_slug     text NOT NULL,
      placement     integer NOT NULL,
      cdl_points    integer NOT NULL,
      PRIMARY KEY (tournament_id, team_slug)
    )`

  yield* sql`
    CREATE TABLE cod_matches (
      match_id         text PRIMARY KEY,
      tournament_id    text NOT NULL,
      round            text,
      status           text NOT NULL CHECK (status IN ('scheduled', 'live', 'completed', 'cancelled')),
      starts_at        timestamptz NOT NULL,
      start_time_known boolean NOT NULL,
      start_order      integer NOT NULL,
      best_of          integer,
      team1_slug       text NOT NULL,
      team2_slug       text NOT NULL,
      team1_score      integer NOT NULL,
      team2_score      integer NOT NULL,
      winner_slug      text,
      is_lan           boolean,
      broadcasted      boolean,
      source           text NOT NULL,
      simulated        boolean NOT NULL
    )`
  // Lists are sorted by start. They are filtered by team or tournament, and show either past or coming matches.
  for (const filter of ["", "tournament_id, ", "team1_slug, ", "team2_slug, "]) {
    yield* sql`CREATE INDEX ON cod_matches (${sql.literal(filter)}starts_at, start_order, match_id)`
  }
  yield* sql`CREATE INDEX ON cod_matches (starts_at, start_order, match_id) WHERE status IN ('scheduled', 'live')`

  yield* sql`
    CREATE TABLE cod_maps (
      match_id         text NOT NULL,
      map_number       integer NOT NULL,
      map_name         text NOT NULL,
      mode             text NOT NULL CHECK (mode IN ('hardpoint', 'snd', 'control', 'overload')),
      team1_score      integer,
      team2_score      integer,
      winner_slug      text,
      played           boolean NOT NULL,
      picked_by        text,
      duration_seconds integer,
      PRIMARY KEY (match_id, map_number)
    )`

  yield* sql`
    CREATE TABLE cod_player_lines (
      match_id             text NOT NULL,
      map_number           integer NOT NULL,
      player_id            text NOT NULL,
      team_slug            text NOT NULL,
      kills                integer,
      deaths               integer,
      assists              integer,
      damage               integer,
      hill_time            integer,
      first_bloods         integer,
      first_deaths         integer,
      plants               integer,
      defuses              integer,
      captures             integer,
      highest_streak       integer,
      rating               double precision,
      trade_kills          integer,
      traded_deaths        integer,
      clutch1v1_attempts   integer,
      clutch1v1_wins       integer,
      clutch1v2_attempts   integer,
      clutch1v2_wins       integer,
      clutch1v3_attempts   integer,
      clutch1v3_wins       integer,
      PRIMARY KEY (match_id, map_number, player_id)
    )`
  yield* sql`CREATE INDEX ON cod_player_lines (player_id)`

  yield* sql`
    CREATE TABLE cod_tournament_totals (
      tournament_id text NOT NULL,
      player_id     text NOT NULL,
      mode          text NOT NULL CHECK (mode IN ('hardpoint', 'snd', 'control', 'overload')),
      maps_played   integer NOT NULL,
      kills         integer NOT NULL,
      deaths        integer NOT NULL,
      hill_time     integer,
      first_bloods  integer,
      captures      integer,
      PRIMARY KEY (tournament_id, player_id, mode)
    )`

  yield* sql`
    CREATE TABLE cod_earnings (
      tournament_id text NOT NULL,
      player_id     text NOT NULL,
      amount        numeric(14, 2) NOT NULL,
      placement     integer,
      PRIMARY KEY (tournament_id, player_id)
    )`

  // The following tables are computed from those above. `stage` is empty in standings of a whole season.
  yield* sql`
    CREATE TABLE cod_standings (
      season       integer NOT NULL,
      stage        text NOT NULL,
      team_slug    text NOT NULL,
      rank         integer NOT NULL,
      cdl_points   integer,
      match_wins   integer NOT NULL,
      match_losses integer NOT NULL,
      map_wins     integer NOT NULL,
      map_losses   integer NOT NULL,
      PRIMARY KEY (season, stage, team_slug)
    )`

  // Sums of a player in a season. The mode overall has the sums of all modes. A sum is null if no source counts it.
  yield* sql`
    CREATE TABLE cod_player_seasons (
      season       integer NOT NULL,
      mode         text NOT NULL,
      player_id    text NOT NULL,
      maps_played  integer NOT NULL,
      kills        integer NOT NULL,
      deaths       integer NOT NULL,
      damage       integer,
      hill_time    integer,
      first_bloods integer,
      PRIMARY KEY (season, mode, player_id)
    )`

  // Newest team of a player, in a season and (season 0) at all. Players without a match have no row.
  yield* sql`
    CREATE TABLE cod_player_teams (
      player_id text NOT NULL,
      season    integer NOT NULL,
      team_slug text NOT NULL,
      PRIMARY KEY (player_id, season)
    )`

  // Names by which players, teams and tournaments are found, in lower case.
  yield* sql`
    CREATE TABLE cod_names (
      kind text NOT NULL CHECK (kind IN ('player', 'team', 'tournament')),
      id   text NOT NULL,
      name text NOT NULL,
      PRIMARY KEY (kind, id, name)
    )`
  yield* sql`CREATE INDEX ON cod_names USING gin (name gin_trgm_ops)`
})
