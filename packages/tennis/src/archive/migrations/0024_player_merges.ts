/** Adds the tennis players that were merged into others. The id of a merged player leads to the remaining one. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const playerMerges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE tennis_player_merges (
      player_id   text PRIMARY KEY,
      into_id     text NOT NULL CHECK (into_id <> player_id),
      player_name text NOT NULL,
      reason      text,
      actor       text NOT NULL,
      created_at  timestamptz NOT NULL DEFAULT now()
    )`
  yield* sql`CREATE INDEX tennis_player_merges_into ON tennis_player_merges (into_id)`

  // Candidates are players with equal folded names.
  yield* sql`CREATE INDEX tennis_player_summaries_namesakes ON tennis_player_summaries (tour, birth_date, words) WHERE birth_date IS NOT NULL`
})
