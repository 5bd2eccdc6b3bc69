/**
 * Adds the progress of the computation of the tennis summaries. `TennisSummaries` computes them in steps, so that a
 * computation that was stopped continues after its last step.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const tennisSummarySteps = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // At most one row: the newest computation. `version` is that of the summaries, and `written` the number of rows that
  // imports had written when it began. The completed ones are those of the last computation that reached its end.
  yield* sql`
    CREATE TABLE tennis_summary_run (
      only_row          boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      version           integer NOT NULL,
      written           bigint NOT NULL,
      steps             integer NOT NULL,
      completed_version integer,
      completed_written bigint
    )`
  // The finished steps of the newest computation.
  yield* sql`CREATE TABLE tennis_summary_steps (step text PRIMARY KEY)`

  // Earlier versions computed all summaries at the end of an import, and marked the import as derived.
  yield* sql`
    INSERT INTO tennis_summary_run (version, written, steps, completed_version, completed_written)
    SELECT 1, written, 0, 1, written FROM imports
    WHERE game = 'tennis' AND source = 'derived' AND file = 'derived' AND finished_at IS NOT NULL`

  // Matches of a day are those whose source gave the day. Imports create the index that replaces this one.
  yield* sql`DROP INDEX IF EXISTS tennis_matches_of_day`
})
