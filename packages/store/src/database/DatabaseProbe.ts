/** Checks the database for the health endpoints. The timeout is the general one of store operations. */
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { OperationTimeout, StoreError, storeOperation } from "../StoreError.ts"

export class DatabaseProbe extends Context.Service<
  DatabaseProbe,
  {
    /** Fails if the database does not respond or is a read-only standby server. */
    readonly check: Effect.Effect<void, StoreError>
  }
>()("@matchpoint/store/database/DatabaseProbe") {
  static readonly layer = Layer.effect(
    DatabaseProbe,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const limit = yield* OperationTimeout
      const ask = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Schema.Struct({ readOnly: Schema.Boolean }),
        execute: () => sql`SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "readOnly"`,
      })
      const check = Effect.flatMap(ask(undefined), ([row]) =>
        row?.readOnly === true
          ? Effect.fail(new StoreError({ operation: "DatabaseProbe.check", cause: new Error("The database is read-only.") }))
          : Effect.void,
      ).pipe(storeOperation("DatabaseProbe.check", limit))
      return DatabaseProbe.of({ check })
    }),
  )
}
