/**
 * Allows finished matches of the Call of Duty League without a score, for which `score_gap` has the reason, and standings
 * without ranks, before the first match of a season.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const codUnknownScores = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    ALTER TABLE cod_matches ALTER COLUMN team1_score DROP NOT NULL, ALTER COLUMN team2_score DROP NOT NULL,
      ADD COLUMN score_gap text CHECK (score_gap IN ('maps_missing', 'maps_contradict'))`
  yield* sql`ALTER TABLE cod_standings ALTER COLUMN rank DROP NOT NULL`
})
