/**
 * The only error type of this package's repositories, and the timeout of their operations. This module contains no SQL
 * and no retry policy: callers that want to retry check `isRetryable`.
 */
import { inspect } from "node:util"
import { type Cause, Context, Duration, Effect, Schema } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { isPermanent, sqlStateOf } from "./database/sqlStates.ts"
import { measured } from "./database/storeMetrics.ts"

/**
 * `operation` is the service method, such as `"Checkpoints.save"`. `cause` is the underlying SQL, decoding or timeout
 * error.
 */
export class StoreError extends Schema.TaggedError<StoreError>("@matchpoint/store/StoreError")("StoreError", {
  operation: Schema.String,
  cause: Schema.Defect(),
}) {
  override get message(): string {
    return `${this.operation} failed: ${this.cause instanceof Error ? this.cause.message : inspect(this.cause)}`
  }

  /** True if the same call may succeed later (lost connection, deadlock, lock or statement timeout). */
  get isRetryable(): boolean {
    return isSqlError(this.cause) ? this.cause.isRetryable : isTimeout(this.cause)
  }

  /**
   * True if the same write can never succeed because of its content. If both this and `isRetryable` are false, the
   * cause is a bug or a misconfigured database.
   */
  get isPermanent(): boolean {
    return isPermanent(this.cause)
  }

  get sqlState(): string | undefined {
    return sqlStateOf(this.cause)
  }
}

/**
 * Maximum duration of one repository operation, including the wait for a connection. The drivers set it slightly above
 * the server's `statement_timeout`: a healthy server reports a timeout first, and this limit applies only if the server
 * is unreachable.
 */
export const OperationTimeout = Context.Reference<Duration.Duration>("@matchpoint/store/StoreError/OperationTimeout", {
  defaultValue: () => Duration.seconds(12),
})

/**
 * Limits the duration of an operation and converts every failure into a `StoreError`. The error names the operation, or
 * the nested operation that failed. A write that timed out may still have been committed. Returning can take up to 5
 * seconds longer than the limit, because the running statement is cancelled first. Otherwise its connection would
 * return to the pool and the next caller would receive the reply to this statement.
 */
export const storeOperation =
  (operation: string, limit: Duration.Duration) =>
  <A, R>(effect: Effect.Effect<A, SqlError | Schema.SchemaError | StoreError, R>): Effect.Effect<A, StoreError, R> =>
    effect.pipe(
      failOnLostConnection,
      Effect.timeout(limit),
      measured(operation),
      Effect.mapError((cause: SqlError | Schema.SchemaError | StoreError | Cause.TimeoutError) =>
        cause instanceof StoreError ? cause : new StoreError({ operation, cause }),
      ),
    )

/**
 * Turns the defect of a lost connection into a failure. If the connection is lost inside a transaction, the ROLLBACK
 * fails as well, and the SQL client reports that as a defect.
 */
export const failOnLostConnection = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
  Effect.catchDefect(effect, (defect) => (isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect)))

const isTimeout = (cause: unknown): boolean => cause instanceof Error && cause.name === "TimeoutError"
