/**
 * The migrations of one part of the schema: the engine, or a game. The parts are migrated independently, so that a game can be
 * added to a database at any time.
 */
import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

export interface Ledger {
  /** Table that records the migrations that have run. */
  readonly table: string
  /** Migrations by `<id>_<name>`. They run in the order of their ids, each once. Released ones never change. */
  readonly migrations: Readonly<Record<string, Effect.Effect<unknown, SqlError.SqlError, SqlClient.SqlClient>>>
}
