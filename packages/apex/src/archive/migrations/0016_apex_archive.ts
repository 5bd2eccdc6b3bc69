/**
 * Adds the archive of Apex Legends: tournaments, series, games, players and transactions. `ApexArchiveWriter`
 * writes them. Columns of type `json` have what the API returns, made when a row is written, because building it for a
 * page takes longer than reading the page.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const apexArchive = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `stated` is the tournament as its source describes it, null if only series mention it. The JSON columns are summaries
  // of its series: `contents` counts the series with each kind of data. They are out of date if `is_stale` is true.
  yield* sql`
    CREATE TABLE apex_tournaments (
      tournament_id text PRIMARY KEY,
      name          text NOT NULL,
      region        text,
      source        text NOT NULL,
      starts_on     date,
      ends_on       date,
      stated        json,
      is_stale      boolean NOT NULL DEFAULT true,
      sort_at       timestamptz NOT NULL DEFAULT 'epoch',
      summary       json,
      legends       json,
      contents      json,
      team_names    text[] NOT NULL DEFAULT '{}',
      computed_at   timestamptz
    )`
  yield* sql`CREATE INDEX ON apex_tournaments (sort_at, tournament_id)`

  // `content` is the series as the writer received it, and `hash` identifies it. `sort_at` is the start of the series, or
  // of its day, or the epoch if neither is known. `team_lines` has the results of each team as a text; a series whose
  // lines are part of those of another series is a copy of that series.
  yield* sql`
    CREATE TABLE apex_series (
      series_id     text PRIMARY KEY,
      tournament_id text NOT NULL,
      region        text,
      status        text NOT NULL,
      source        text NOT NULL,
      sort_at       timestamptz NOT NULL,
      copy_of       text,
      hash          text NOT NULL,
      team_lines    text[] NOT NULL,
      content       json NOT NULL,
      listing       json NOT NULL,
      scores        json NOT NULL,
      bans          json NOT NULL
    )`
  for (const columns of ["", "tournament_id, ", "region, ", "status, "]) {
    yield* sql`CREATE INDEX ON apex_series (${sql.literal(columns)}sort_at, series_id)`
  }
  yield* sql`CREATE INDEX ON apex_series USING gin (team_lines)`

  yield* sql`
    CREATE TABLE apex_games (
      series_id     text NOT NULL REFERENCES apex_series ON DELETE CASCADE,
      game_number   integer NOT NULL,
      tournament_id text NOT NULL,
      region        text,
      status        text NOT NULL,
      map           text,
      sort_at       timestamptz NOT NULL,
      copy_of       text,
      details       json NOT NULL,
      PRIMARY KEY (series_id, game_number)
    )`
  for (const columns of ["", "tournament_id, ", "region, ", "status, ", "map, "]) {
    yield* sql`CREATE INDEX ON apex_games (${sql.literal(columns)}sort_at, series_id, game_number)`
  }

  // `stated` is a profile of the player, null if only series mention the player. The rest is computed from both.
  yield* sql`
    CREATE TABLE apex_players (
      player_id text PRIMARY KEY,
      source    text NOT NULL,
      stated    json,
      name      text NOT NULL,
      matches   integer NOT NULL DEFAULT 0,
      details   json
    )`
  yield* sql`CREATE INDEX ON apex_players USING gin (lower(name) gin_trgm_ops)`

  // Sums of a player in a tournament. A sum is null if no game states the value.
  yield* sql`
    CREATE TABLE apex_player_totals (
      tournament_id text NOT NULL,
      player_id     text NOT NULL,
      team_name     text NOT NULL,
      kills         integer,
      assists       integer,
      damage        integer,
      knockdowns    integer,
      games         integer NOT NULL,
      details       json NOT NULL,
      PRIMARY KEY (tournament_id, player_id)
    )`
  yield* sql`CREATE INDEX ON apex_player_totals (player_id)`

  yield* sql`
    CREATE TABLE apex_transactions (
      transaction_id text PRIMARY KEY,
      type           text NOT NULL,
      day            date NOT NULL,
      region         text,
      team_name      text,
      player_id      text,
      player_name    text,
      source         text NOT NULL,
      details        json NOT NULL
    )`
  for (const columns of ["", "type, ", "region, "]) {
    yield* sql`CREATE INDEX ON apex_transactions (${sql.literal(columns)}day, transaction_id)`
  }
})
