/**
 * The production driver: a pool of PostgreSQL sessions as `PgClient` and `SqlClient`. Owns the pool size and the time
 * limits. It does not run migrations (`Migrations.layer` does) and knows no tables.
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
  /** Maximum pool size. Default 10. Each running transaction occupies one connection. */
  readonly maxConnections?: number | undefined
  /** Time limit for connecting, TLS and authentication together. Default 5 seconds. */
  readonly connectTimeout?: Duration.Input | undefined
  /**
   * Time limit of a statement. Default 10 seconds. The server cancels statements that run longer, and the session stays
   * usable.
   */
  readonly statementTimeout?: Duration.Input | undefined
  /**
   * Time limit of an idle transaction. Default 10 seconds. The server then rolls it back and ends its session, because
   * others may wait for its locks.
   */
  readonly idleTransactionTimeout?: Duration.Input | undefined
}

export class Postgres {
  /** Connections open on first use, so this layer can be built while the server is down. */
  static readonly layer = (options: PostgresOptions): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError> => {
    const statementTimeout = Duration.fromInputUnsafe(options.statementTimeout ?? Duration.seconds(10))
    const maxConnections = options.maxConnections ?? 10
    return PgClient.layer({
      url: options.url,
      applicationName: "matchpoint",
      maxConnections,
      // Each set of list filters has its own SQL text. With a smaller cache, sessions would evict statements before
      // their next use and plan them again.
      preparedStatementCacheSize: 400,
      connectTimeout: options.connectTimeout ?? Duration.seconds(5),
      // TCP keepalive: the kernel detects a peer that vanished without closing, before the next caller runs into a
      // timeout.
      keepAlive: Duration.seconds(30),
      startupParameters: {
        statement_timeout: milliseconds(statementTimeout),
        ...plannerSettings,
        // A hung gateway must not keep the locks of its open transaction: it would block the usage ledger for all other
        // gateways.
        idle_in_transaction_session_timeout: milliseconds(options.idleTransactionTimeout ?? Duration.seconds(10)),
      },
    }).pipe(
      Layer.merge(Layer.succeed(OperationTimeout, Duration.sum(statementTimeout, Duration.seconds(2)))),
      Layer.merge(Layer.effectDiscard(Metric.update(poolSize, maxConnections))),
    )
  }
}

const milliseconds = (duration: Duration.Input): string => String(Math.ceil(Duration.toMillis(Duration.fromInputUnsafe(duration))))
