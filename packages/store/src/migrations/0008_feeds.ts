/**
 * Adds two tables. `parked_matches` contains writes about matches that the database rejected because of their content;
 * they wait for an operator instead of being retried forever. The other table contains feed tokens (secrets for sending
 * live events) that are restricted to one match or one source.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const feeds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE parked_matches (
      game               text NOT NULL,
      match_number       bigint NOT NULL,
      work               text NOT NULL CHECK (work IN ('result', 'archive')),
      operation          text NOT NULL,
      reason             text NOT NULL,
      sql_state          text,
      attempts           integer NOT NULL DEFAULT 1,
      parked_at          timestamptz NOT NULL DEFAULT now(),
      failed_at          timestamptz NOT NULL DEFAULT now(),
      retry_requested_at timestamptz,
      PRIMARY KEY (game, match_number, work)
    )`

  yield* sql`
    CREATE TABLE feed_tokens (
      token_id     uuid PRIMARY KEY,
      prefix       text NOT NULL,
      hash         bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
      label        text NOT NULL,
      match_id     text,
      source       text CHECK (source IN ('main', 'backup')),
      created_at   timestamptz NOT NULL DEFAULT now(),
      revoked_at   timestamptz,
      CHECK (match_id IS NOT NULL OR source IS NOT NULL)
    )`
})
