/** Adds the prize pools that `EventPrizes` derives for events whose pool no source has reported. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const cs2PrizePools = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A separate column, because the writer does not replace a stored pool by one of another source.
  yield* sql`ALTER TABLE cs2_events ADD COLUMN derived_prize_pool bigint`
})
