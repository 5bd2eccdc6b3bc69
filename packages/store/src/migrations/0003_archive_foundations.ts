/**
 * Creates what the archives of all games need: the extension for search, the state of imports and chores, and the archive
 * state of live matches. Migrations 0005 and 0006 rename its tables, which were created when there was only CS2.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const archiveFoundations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Enables the extension used for typo-tolerant search.
  yield* sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`

  yield* sql`
    CREATE FUNCTION iso_utc(t timestamptz) RETURNS text
    LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$ SELECT to_char(t AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$`

  // Adds the archive state of each live match. `archived_status` is the status with which the match was last written to
  // the archive. `changed_at` is the time at which the status or score last changed, by the clock of the database.
  // `team1_maps` and `team2_maps` are the maps won so far while the match is live.
  yield* sql`
    ALTER TABLE cs2_matches ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now(), ADD COLUMN archived_status text,
      ADD COLUMN team1_maps integer NOT NULL DEFAULT 0, ADD COLUMN team2_maps integer NOT NULL DEFAULT 0`
  yield* sql`CREATE INDEX cs2_matches_unarchived ON cs2_matches (match_number) WHERE archived_status IS DISTINCT FROM status`

  // Import state of one file of one source. A file is imported again only if its content changes, and an interrupted
  // import continues where it stopped.
  yield* sql`
    CREATE TABLE cs2_imports (
      source      text NOT NULL,
      -- Path relative to the imported folder.
      file        text NOT NULL,
      fingerprint text NOT NULL,
      -- Records of the file processed so far.
      done        bigint NOT NULL DEFAULT 0,
      written     bigint NOT NULL DEFAULT 0,
      rejected    bigint NOT NULL DEFAULT 0,
      started_at  timestamptz NOT NULL DEFAULT now(),
      finished_at timestamptz,
      PRIMARY KEY (source, file)
    )`

  // Recurring background jobs that only one process may run at a time. The columns store which process is running the
  // job and since when, the start time of the last completed run, and the time at which a run was last requested.
  yield* sql`
    CREATE TABLE cs2_chores (
      chore        text PRIMARY KEY,
      holder       uuid,
      started_at   timestamptz,
      done_as_of   timestamptz,
      requested_at timestamptz
    )`
})
