/**
 * Migrates the database to the schema that this version of the code expects. Runs each missing migration once, in the order
 * of its ledger, and all of them in one transaction. There are no down migrations; to go back, restore a backup.
 */
import { Duration, Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { StoreError } from "../StoreError.ts"
import { holdUntilCommit } from "./advisoryLock.ts"
import { engineLedger } from "./engineLedger.ts"
import type { Ledger } from "./Ledger.ts"

/**
 * Timeout for all migrations together, including the time spent waiting for another process to finish its migrations.
 */
const limit = Duration.minutes(5)

/** A migration that has run. */
export type Migrated = readonly [id: number, name: string]

/**
 * Until the games had ledgers, the ledger of the engine recorded all migrations. Copies those of a game to its own ledger, under
 * the same ids and names, if it does not exist yet.
 */
const adopt = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { migrations, table }: Ledger) {
  const common = sql(engineLedger.table)
  const ofGame = sql`FROM ${common} WHERE to_char(migration_id, 'FM0000') || '_' || name IN ${sql.in(Object.keys(migrations))}`
  const [found] = yield* sql<{ readonly adopts: boolean }>`SELECT to_regclass(${table}) IS NULL AND EXISTS (SELECT ${ofGame}) AS adopts`
  if (found?.adopts !== true) return
  yield* sql`CREATE TABLE ${sql(table)} (LIKE ${common} INCLUDING ALL)`
  yield* sql`INSERT INTO ${sql(table)} (migration_id, name, created_at) SELECT migration_id, name, created_at ${ofGame}`
})

/** Highest id of a migration that this version knows. */
const newestOf = ({ migrations }: Ledger): number => Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

/**
 * Warns if a newer version has migrated the database. This version works nevertheless: a migration keeps what the
 * version before it reads and writes, so that both can run side by side during an upgrade.
 */
const warnIfNewer = (sql: SqlClient.SqlClient, ledger: Ledger) =>
  Effect.flatMap(sql<{ readonly found: number | null }>`SELECT max(migration_id)::int AS found FROM ${sql(ledger.table)}`, ([row]) =>
    (row?.found ?? 0) <= newestOf(ledger)
      ? Effect.void
      : Effect.logWarning(
          `the database has migration ${row?.found} of a newer version in ${ledger.table} (this process knows ${newestOf(ledger)}) and is used as it is`,
        ),
  )

const migrate = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, ledger: Ledger) {
  if (ledger !== engineLedger) yield* adopt(sql, ledger)
  const run = yield* Migrator.make({})({ loader: Migrator.fromRecord(ledger.migrations), table: ledger.table })
  yield* warnIfNewer(sql, ledger)
  return run
})

/**
 * Runs the missing migrations of the engine and then of the games, and returns their ids. Any number of processes may call
 * this at the same time: one of them migrates, and the others wait until there is nothing left to do.
 */
export const migrateAll = (games: ReadonlyArray<Ledger>): Effect.Effect<ReadonlyArray<Migrated>, StoreError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        // Raises the statement timeout for this transaction. Waiting for another process's migrations, or building an
        // index, may take longer than the timeout of normal operation.
        yield* sql`SET LOCAL statement_timeout = ${sql.literal(String(Duration.toMillis(limit)))}`
        // The lock is acquired before the migrator runs, because two concurrent migrators would conflict as soon as
        // they create their bookkeeping table.
        yield* holdUntilCommit(sql, "migrations")
        return (yield* Effect.forEach([engineLedger, ...games], (ledger) => migrate(sql, ledger))).flat()
      }),
    )
  }).pipe(
    Effect.timeout(limit),
    Effect.mapError((cause) => new StoreError({ operation: "Migrations.run", cause })),
    Effect.withSpan("Migrations.run"),
  )
