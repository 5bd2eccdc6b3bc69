/** Adds the weight by which the search ranks names. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const playerNames = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Names of Call of Duty: the logarithm of the maps or matches, and names with hyphens as folded names have them.
  yield* sql`ALTER TABLE cod_names ADD COLUMN weight real NOT NULL DEFAULT 0`
  yield* sql`INSERT INTO cod_names (kind, id, name) SELECT kind, id, translate(name, '-', ' ') FROM cod_names ON CONFLICT DO NOTHING`
})
