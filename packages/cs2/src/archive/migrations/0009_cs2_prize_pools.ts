/**
 * Adds a column for the prize pools that `EventPrizes` derives for those events whose prize pool no source has
 * reported.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const cs2PrizePools = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The derived prize pool needs a separate column. In the existing column, the archive writer would keep the derived
  // value and ignore the one that a source reports later.
  yield* sql`ALTER TABLE cs2_events ADD COLUMN derived_prize_pool bigint`
})
