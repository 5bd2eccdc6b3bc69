/** Prize pools that no source has stated, as `EventPrizes` derives them from the prizes of an event's teams. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const cs2PrizePools = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A column of its own: what a source states later must not be taken for known already.
  yield* sql`ALTER TABLE cs2_events ADD COLUMN derived_prize_pool bigint`
})
