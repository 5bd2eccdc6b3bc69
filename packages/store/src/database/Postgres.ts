/**
 * The database driver for production: a pool of PostgreSQL connections, provided as `PgClient` and `SqlClient`. Does not
 * run migrations (`Migrations.layer` does) and depends on no table.
 */
import { PgClient } from "@effect/sql-pg"
import { Duration, Layer, Metric, type Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { OperationTimeout } from "../StoreError.ts"
import { plannerSettings } from "./plannerSettings.ts"
import { poolSize } from "./storeMetrics.ts"

export interface PostgresOptions {
  /** URI in libpq format: `postgres://user:password@host:port/database?sslmode=...`. */
  readonly url: Redacted.Redacted<string>
  /** 10 by default. Each running transaction occupies one connection. */
  readonly maxConnections?: number | undefined
  /** Timeout for opening a connection, including TLS and authentication. 5 seconds by default. */
  readonly connectTimeout?: Duration.Input | undefined
  /** 10 seconds by default. The server cancels a statement that runs longer; its session remains usable. */
  readonly statementTimeout?: Duration.Input | undefined
  /**
   * 10 seconds by default. After it, the server rolls an idle transaction back and ends its session, because others may
   * be waiting for its locks.
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
      // Large, because each combination of list filters has its own SQL text. With a smaller cache, sessions would evict
      // statements before their next use and plan them again.
      preparedStatementCacheSize: 400,
      prepare: hasSessions,
      connectTimeout: options.connectTimeout ?? Duration.seconds(5),
      // TCP keepalive: the kernel detects a server that has disappeared. Otherwise, only the timeout of the next
      // statement would.
      keepAlive: Duration.seconds(30),
      ...(hasSessions && {
        startupParameters: {
          statement_timeout: milliseconds(statementTimeout),
          ...plannerSettings,
          // Otherwise a gateway that hangs could keep the locks of its transaction and block the usage ledger for all
          // others.
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
