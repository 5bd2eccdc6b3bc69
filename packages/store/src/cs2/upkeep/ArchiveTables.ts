/**
 * What the database knows of the archive's tables, by which it plans, and what it keeps of rows that are gone. PostgreSQL sees to both by
 * itself within a minute or so, where that is not switched off; PGlite never does. Whoever writes much tells it to.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { OperationTimeout, type StoreError, storeOperation } from "../../StoreError.ts"

export class ArchiveTables extends Context.Service<
  ArchiveTables,
  {
    /** Samples every table that imports and matches write to: tenths of a second to two seconds. Not within a transaction. */
    readonly analyze: Effect.Effect<void, StoreError>
    /** The same, and makes room of rows that are gone; what was only added to is marked as seen by all. Not within a transaction. */
    readonly vacuum: Effect.Effect<void, StoreError>
  }
>()("@matchpoint/store/cs2/upkeep/ArchiveTables") {
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

      /** Table by table: no statement of others waits for longer than one takes, and each has the whole time. */
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
