/** Adds the names by which players are searched. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const playerNames = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Folded names of Apex players.
  yield* sql`ALTER TABLE apex_players ADD COLUMN words text NOT NULL DEFAULT ''`
  yield* sql`UPDATE apex_players SET words = trim(regexp_replace(lower(name), '[^[:alnum:]]+', ' ', 'g'))`
  yield* sql`CREATE INDEX apex_players_words ON apex_players USING gin (words gin_trgm_ops)`
})
