/**
 * Imports and chores of CS2 become those of every game, as the register of matches did before. Existing rows are CS2's. Names of sources
 * and chores are unique within a game.
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
    // The default was for the rows that exist: a writer names its game.
    yield* sql`ALTER TABLE ${to} ALTER COLUMN game DROP DEFAULT`
    yield* sql`ALTER TABLE ${to} DROP CONSTRAINT ${sql.literal(`${before}_pkey`)}, ADD PRIMARY KEY (game, ${sql.literal(key)})`
  }
})
