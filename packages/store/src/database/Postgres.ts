/**
 * The database driver for production: a pool of PostgreSQL connections, provided as `PgClient` and `SqlClient`. Defines
 * the pool size and the timeouts. It does not run migrations (`Migrations.layer` does) and does not depend on any
 * table.
 */
import { PgClient } from "@effect/sql-pg"
import { Duration, Layer, Metric, type Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { OperationTimeout } from "../StoreError.ts"
import { plannerSettings } from "./plannerSettings.ts"
import { poolSize } from "./storeMetrics.ts"

export interface PostgresOptions {
  /** Connection URI in libpq format: `postgres://user:password@host:port/database?sslmode=...`. */
  readonly url: Redacted.Redacted<string>
  /** Maximum number of connections in the pool, 10 by default. Each running transaction occupies one connection. */
  readonly maxConnections?: number | undefined
  /** Timeout for opening a connection, including TLS and authentication. 5 seconds by default. */
  readonly connectTimeout?: Duration.Input | undefined
  /**
   * Timeout of an SQL statement, 10 seconds by default. The server cancels a statement that runs longer; its session
   * remains usable.
   */
  readonly statementTimeout?: Duration.Input | undefined
  /**
   * How long a transaction may be idle, 10 seconds by default. After that, the server rolls the transaction back and
   * ends its session, because other transactions may be waiting for its locks.
   */
  readonly idleTransactionTimeout?: Duration.Input | undefined
  /**
   * `transaction` if the URL leads to a pooler that gives each transaction another session (PgBouncer in transaction
   * mode). Then no statement is prepared by name, and no settings are sent: the role or the pooler must set the timeouts
   * and those of `plannerSettings`. Default `none`.
   */
  readonly pooler?: "none" | "transaction" | undefined
}

export class Postgres {
  /** Connections open on first use, so this layer can be built while the server is down. */
  static readonly layer = (options: PostgresOptions): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError> => {
    const statementTimeout = Duration.fromInputUnsafe(options.statementTimeout ?? Duration.seconds(10))
    const maxConnections = options.maxConnections ?? 10
    const hasSessions = options.pooler !== "transaction"
    return PgClient.layer({
      url: options.url,
      applicationName: "matchpoint",
      maxConnections,
      // The cache of prepared statements must be large, because each combination of list filters has its own SQL text.
      // With a smaller cache, sessions would evict statements before their next use and have to plan them again.
      preparedStatementCacheSize: 400,
      prepare: hasSessions,
      connectTimeout: options.connectTimeout ?? Duration.seconds(5),
      // Enables TCP keepalive, so that the kernel detects a server that has disappeared without closing the connection.
      // Otherwise, the loss would be detected only by the timeout of the next statement.
      keepAlive: Duration.seconds(30),
      ...(hasSessions && {
        startupParameters: {
          statement_timeout: milliseconds(statementTimeout),
          ...plannerSettings,
          // Limits how long a transaction may be idle. Otherwise, a gateway process that hangs could keep the locks of
          // its open transaction and block the usage ledger for all other gateways.
          idle_in_transaction_session_timeout: milliseconds(options.idleTransactionTimeout ?? Duration.seconds(10)),
        },
      }),
    }).pipe(
      Layer.merge(Layer.succeed(OperationTimeout, Duration.sum(statementTimeout, Duration.seconds(2)))),
      Layer.merge(Layer.effectDiscard(Metric.update(poolSize, maxConnections))),
    )
  }
}

const milliseconds = (duration: Duration.Input): string => String(Math.ceil(Duration.toMillis(Duration.fromInputUnsafe(duration))))
