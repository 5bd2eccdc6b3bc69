/**
 * The driver that needs no server: PostgreSQL compiled to WebAssembly (PGlite), one directory on disk, behind the same
 * `PgClient` and `SqlClient` as `Postgres`. One connection, so a transaction excludes every other statement while it runs.
 * It survives the death of the process. It does not promise to survive a power cut: PGlite does not fsync.
 */
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Layer, Metric } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { OperationTimeout } from "../StoreError.ts"
import { type DirectoryLockError, type DirectoryLocked, lockDirectory } from "./DirectoryLock.ts"
import { type EmbeddedOpenError, makeEmbeddedEngine } from "./EmbeddedEngine.ts"
import { poolSize } from "./storeMetrics.ts"

export interface EmbeddedOptions {
  /** Created when missing, and locked against a second process. Null: in memory, gone with the scope. */
  readonly directory: string | null
  /** The path of a dump of PGlite's data directory that a new database starts from. Default: it starts empty. */
  readonly initialData?: string | undefined
  /**
   * Default 10 seconds for a whole repository operation. Outside of a transaction the operation then fails at once, inside up to
   * 5 seconds later; either way the statement itself cannot be cancelled, and what is asked meanwhile waits for its end or fails too.
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
  const dataDirectory = directory === null ? null : yield* lockDirectory(directory)
  const engine = yield* makeEmbeddedEngine(dataDirectory, initialData)
  // A pool of one instead of a bare connection: a session that was interrupted or died is replaced by itself.
  return yield* PgClient.make({
    stream: engine.connect,
    ssl: false,
    username: "postgres",
    database: "postgres",
    applicationName: "matchpoint",
    minConnections: 1,
    maxConnections: 1,
    // Statements of different fibers share one hop to the worker and back: more than twice as many per second.
    multiplex: true,
  })
})
