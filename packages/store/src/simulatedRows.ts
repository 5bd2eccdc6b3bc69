/** Decides whether simulated rows may be written to the archive of a game, and removes them. Does not write them. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError, Statement } from "effect/sql"
import { OperationTimeout, type StoreError, storeOperation } from "./StoreError.ts"

export interface SimulatedRows {
  readonly isArchiveEmpty: Effect.Effect<boolean, StoreError>
  /** Simulated rows must not be mixed with real ones. */
  readonly remove: Effect.Effect<void, StoreError>
}

/** `some` selects a row if the archive has one. `remove` runs in a transaction. `name` is the service in errors and traces. */
export const simulatedRows = Effect.fnUntraced(function* (
  name: string,
  some: (sql: PgClient.PgClient) => Statement.Statement<unknown>,
  remove: (sql: PgClient.PgClient) => Effect.Effect<void, SqlError.SqlError>,
) {
  const sql = yield* PgClient.PgClient
  const limit = yield* OperationTimeout
  const named = <A>(operation: string, effect: Effect.Effect<A, SqlError.SqlError>) =>
    effect.pipe(storeOperation(`${name}.${operation}`, limit), Effect.withSpan(`${name}.${operation}`))
  const rows: SimulatedRows = {
    isArchiveEmpty: named(
      "isArchiveEmpty",
      Effect.map(some(sql), ({ length }) => length === 0),
    ),
    remove: named("remove", sql.withTransaction(remove(sql))),
  }
  return rows
})
