/**
 * Updates the planner's statistics of the archive's tables and removes dead rows. PostgreSQL does both automatically
 * within about a minute, unless autovacuum is off; PGlite never does. Callers should use it after writing a lot of
 * data.
 */
import { PgClient } from "@effect/sql-pg"
import { OperationTimeout, type StoreError, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"

export class ArchiveTables extends Context.Service<
  ArchiveTables,
  {
    /** Covers every table to which imports and matches are written. Takes 0.1 to 2 seconds. Must not run in a transaction. */
    readonly analyze: Effect.Effect<void, StoreError>
    /** Like `analyze`, and reclaims the space of deleted rows and marks all-visible pages. Must not run in a transaction. */
    readonly vacuum: Effect.Effect<void, StoreError>
  }
>()("@matchpoint/cs2/archive/upkeep/ArchiveTables") {
  static readonly layer = Layer.effect(
    ArchiveTables,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const tables = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Schema.Struct({ name: Schema.String }),
        execute: () => sql`
          SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
            AND (relname LIKE 'cs2\\_%' OR relname IN ('matches', 'imports', 'chores'))
          ORDER BY relname`,
      })

      /** One table after the other: other statements wait for at most one. The timeout applies to each table separately. */
      const onAll = (name: string, command: string) =>
        Effect.gen(function* () {
          for (const table of yield* tables().pipe(storeOperation(name, limit))) {
            yield* sql`${sql.literal(command)} ${sql(table.name)}`.pipe(storeOperation(name, limit))
          }
        }).pipe(Effect.withSpan(name))

      return ArchiveTables.of({
        analyze: onAll("ArchiveTables.analyze", "ANALYZE"),
        vacuum: onAll("ArchiveTables.vacuum", "VACUUM (ANALYZE)"),
      })
    }),
  )
}
