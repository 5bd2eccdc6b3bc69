/**
 * Adds what network addresses have used of limits on all gateways, for installations without Redis. Unlogged, because
 * losing it is harmless.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const addressSpending = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `full_at` is the time at which the limit will have refilled everything that was used.
  yield* sql`
    CREATE UNLOGGED TABLE address_spending (
      bucket  text PRIMARY KEY,
      full_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX address_spending_expired ON address_spending (full_at)`
})
