/**
 * Adds when each process last reached the log. Unlogged, because processes report twice a second and losing the times is harmless.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const logReach = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Rows that are updated in place need room.
  yield* sql`
    CREATE UNLOGGED TABLE log_reach (
      process_id uuid PRIMARY KEY,
      role       text NOT NULL,
      reached_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`
})
