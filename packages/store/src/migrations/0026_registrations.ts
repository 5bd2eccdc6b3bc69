/**
 * Adds what identifies the registration of a match, so that a repeated registration does not create another match, and a
 * random number from which the feed token of the match is derived.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const registrations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Null in rows of older versions and of simulated matches.
  yield* sql`
    ALTER TABLE matches
      ADD COLUMN registration_key  text,
      ADD COLUMN external_id       text,
      ADD COLUMN registration_hash bytea,
      ADD COLUMN token_salt        bytea`
  yield* sql`CREATE UNIQUE INDEX matches_by_registration_key ON matches (game, registration_key) WHERE registration_key IS NOT NULL`
  yield* sql`CREATE UNIQUE INDEX matches_by_external_id ON matches (game, external_id) WHERE external_id IS NOT NULL`
})
