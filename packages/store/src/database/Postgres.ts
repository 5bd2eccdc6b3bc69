/**
 * The production driver: a pool of PostgreSQL sessions as `PgClient` and `SqlClient`.
 * It owns pool size and time limits. It does not run migrations (`Migrations.layer`) and knows no table.
 */
import { PgClient } from "@effect/sql-pg"
import { Duration, Layer, Metric, type Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { OperationTimeout } from "../StoreError.ts"
import { plannerSettings } from "./plannerSettings.ts"
import { poolSize } from "./storeMetrics.ts"

export interface PostgresOptions {
  /** libpq URI, `postgres://user:password@host:port/database?sslmode=...`. */
  readonly url: Redacted.Redacted<string>
  /** Default 10. One transaction holds one connection. */
  readonly maxConnections?: number | undefined
  /** Default 5 seconds, for connecting, TLS and authentication together. */
  readonly connectTimeout?: Duration.Input | undefined
  /** Default 10 seconds. The server cancels a statement that runs longer; the session stays usable. */
  readonly statementTimeout?: Duration.Input | undefined
  /** Default 10 seconds. A transaction that says nothing for so long is rolled back and its session ended: others wait for its locks. */
  readonly idleTransactionTimeout?: Duration.Input | undefined
}

export class Postgres {
  /** Connections open on first use, so building this layer succeeds while the server is still down. */
  static readonly layer = (options: PostgresOptions): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError> => {
    const statementTimeout = Duration.fromInputUnsafe(options.statementTimeout ?? Duration.seconds(10))
    const maxConnections = options.maxConnections ?? 10
    return PgClient.layer({
      url: options.url,
      applicationName: "matchpoint",
      maxConnections,
      // Lists have a text for each set of filters; with fewer, sessions would forget one before it comes again, and plan it anew.
      preparedStatementCacheSize: 400,
      connectTimeout: options.connectTimeout ?? Duration.seconds(5),
      // A peer that vanished without closing is noticed by the kernel, not by the next caller's timeout.
      keepAlive: Duration.seconds(30),
      startupParameters: {
        statement_timeout: milliseconds(statementTimeout),
        ...plannerSettings,
        // A holder of a transaction that stopped talking must not keep its locks: a gateway that hangs would take the ledger from all others.
        idle_in_transaction_session_timeout: milliseconds(options.idleTransactionTimeout ?? Duration.seconds(10)),
      },
    }).pipe(
      Layer.merge(Layer.succeed(OperationTimeout, Duration.sum(statementTimeout, Duration.seconds(2)))),
      Layer.merge(Layer.effectDiscard(Metric.update(poolSize, maxConnections))),
    )
  }
}

const milliseconds = (duration: Duration.Input): string => String(Math.ceil(Duration.toMillis(Duration.fromInputUnsafe(duration))))
