/**
 * Extends the tables of imports and of recurring background jobs (chores) from CS2 to all games, as migration 0005 did
 * for the register of matches. Existing rows belong to CS2. Names of sources and jobs are unique within a game.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const imports = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  for (const [before, table, key] of [
    ["cs2_imports", "imports", "source, file"],
    ["cs2_chores", "chores", "chore"],
  ] as const) {
    const [from, to] = [sql.literal(before), sql.literal(table)]
    yield* sql`ALTER TABLE ${from} RENAME TO ${to}`
    yield* sql`ALTER TABLE ${to} ADD COLUMN game text NOT NULL DEFAULT 'cs2' CHECK (game ~ '^[a-z][a-z0-9]{1,15}$')`
    // Removes the default value, which was only needed for existing rows. New rows always specify their game.
    yield* sql`ALTER TABLE ${to} ALTER COLUMN game DROP DEFAULT`
    yield* sql`ALTER TABLE ${to} DROP CONSTRAINT ${sql.literal(`${before}_pkey`)}, ADD PRIMARY KEY (game, ${sql.literal(key)})`
  }
})
