/**
 * The database driver that needs no server: PostgreSQL compiled to WebAssembly (PGlite) with its own data directory. It
 * provides the same `PgClient` and `SqlClient` services as `Postgres`. There is only one connection, so a running
 * transaction blocks all other statements. Data survives a crash of the process but not necessarily a power failure,
 * because PGlite does not call fsync.
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
   * Created if missing, and locked against other processes. If null, the data is in memory only and is lost when the
   * scope closes.
   */
  readonly directory: string | null
  /** Path of a dump of a PGlite data directory: the initial content of a new database, which is empty by default. */
  readonly initialData?: string | undefined
  /**
   * Timeout of a whole operation, 10 seconds by default. Inside a transaction, the failure may be 5 seconds late. The
   * running statement cannot be cancelled, so later operations wait until it ends, or fail too.
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

/** No network is involved, so only a busy machine makes a session slow. */
const CONNECT_TIMEOUT = Duration.seconds(60)

const open = Effect.fn("Embedded.open")(function* ({ directory, initialData }: EmbeddedOptions) {
  if (directory !== null) yield* lockDirectory(directory)
  const engine = yield* makeEmbeddedEngine(directory === null ? null : join(directory, "data"), initialData)
  // A pool of one connection instead of a bare one, because a pool replaces a session that was interrupted or has died.
  return yield* PgClient.make({
    stream: engine.connect,
    ssl: false,
    username: "postgres",
    database: "postgres",
    applicationName: "matchpoint",
    minConnections: 1,
    maxConnections: 1,
    // The worker's first session loads its catalogs, which takes longer than the client's 5 seconds on a busy machine.
    connectTimeout: CONNECT_TIMEOUT,
    // Concurrent statements share a round trip to the worker, which more than doubles the number of statements per
    // second.
    multiplex: true,
  })
})
