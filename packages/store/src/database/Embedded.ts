/**
 * The driver without a server: PostgreSQL compiled to WebAssembly (PGlite), with one data directory, behind the same
 * `PgClient` and `SqlClient` as `Postgres`. It has one connection, so a transaction blocks every other statement while
 * it runs. Data survives a crash of the process, but not necessarily a power failure: PGlite does not fsync.
 */
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { type DirectoryLockError, type DirectoryLocked, lockDirectory } from "@matchpoint/files/DirectoryLock"
import { Duration, Effect, Layer, Metric } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { OperationTimeout } from "../StoreError.ts"
import { type EmbeddedOpenError, makeEmbeddedEngine } from "./EmbeddedEngine.ts"
import { poolSize } from "./storeMetrics.ts"

export interface EmbeddedOptions {
  /**
   * Data directory. Created if missing, and locked against other processes. Null keeps the database in memory until the
   * scope closes.
   */
  readonly directory: string | null
  /** The path of a dump of PGlite's data directory that a new database starts from. Default: it starts empty. */
  readonly initialData?: string | undefined
  /**
   * Time limit of a whole repository operation. Default 10 seconds. Outside a transaction the operation fails at this
   * limit, inside a transaction up to 5 seconds later. In both cases the running statement cannot be cancelled: later
   * operations wait until it ends, or fail too.
   */
  readonly statementTimeout?: Duration.Input | undefined
}

export type EmbeddedError = DirectoryLocked | DirectoryLockError | EmbeddedOpenError | SqlError

export class Embedded {
  static readonly layer = (options: EmbeddedOptions): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, EmbeddedError> =>
    PgClient.layerFrom(open(options)).pipe(
      Layer.merge(Layer.succeed(OperationTimeout, Duration.fromInputUnsafe(options.statementTimeout ?? Duration.seconds(10)))),
      Layer.merge(Layer.effectDiscard(Metric.update(poolSize, 1))),
    )
}

const open = Effect.fn("Embedded.open")(function* ({ directory, initialData }: EmbeddedOptions) {
  if (directory !== null) yield* lockDirectory(directory)
  const engine = yield* makeEmbeddedEngine(directory === null ? null : join(directory, "data"), initialData)
  // A pool of one connection instead of a bare connection, because a pool replaces a session that was interrupted or
  // has died.
  return yield* PgClient.make({
    stream: engine.connect,
    ssl: false,
    username: "postgres",
    database: "postgres",
    applicationName: "matchpoint",
    minConnections: 1,
    maxConnections: 1,
    // Concurrent statements share one round trip to the worker, which more than doubles the statements per second.
    multiplex: true,
  })
})
