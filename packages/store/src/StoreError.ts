/**
 * The only error type of the repositories, and the timeout of their operations. There are no automatic retries: callers
 * that want to retry check `isRetryable`.
 */
import { inspect } from "node:util"
import { type Cause, Context, Duration, Effect, Schema } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { isPermanent, sqlStateOf } from "./database/sqlStates.ts"
import { measured } from "./database/storeMetrics.ts"

/** `operation` is the failed method, such as `"Checkpoints.save"`. `cause` is the SQL, decoding or timeout error. */
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
   * True if the operation, or its statement, exceeded its time. If it was a large write, a smaller one may succeed.
   */
  get isTimeout(): boolean {
    return isSqlError(this.cause) ? this.cause.reason._tag === "StatementTimeoutError" : isTimeout(this.cause)
  }

  /**
   * True if the content makes the write fail every time. If this and `isRetryable` are false, the cause is a bug or a
   * misconfigured database.
   */
  get isPermanent(): boolean {
    return isPermanent(this.cause)
  }

  get sqlState(): string | undefined {
    return sqlStateOf(this.cause)
  }
}

/**
 * Timeout of one operation, including the wait for a connection. The drivers set it slightly above the server's
 * `statement_timeout`, so that a working server reports a timeout first and this one applies only if the server is
 * unreachable.
 */
export const OperationTimeout = Context.Reference<Duration.Duration>("@matchpoint/store/StoreError/OperationTimeout", {
  defaultValue: () => Duration.seconds(12),
})

type StoreFailure = SqlError | Schema.SchemaError | StoreError

/**
 * Applies a timeout and converts every failure to a `StoreError`, which names the operation, or the nested one that
 * failed. A write that timed out may still have been committed.
 *
 * On a timeout, the error may be returned up to 5 seconds late, because the running statement is cancelled first.
 * Otherwise the connection would return to the pool and its next user would receive the reply to this statement.
 */
export const storeOperation =
  (operation: string, limit: Duration.Duration) =>
  <A, R>(effect: Effect.Effect<A, StoreFailure, R>): Effect.Effect<A, StoreError, R> =>
    effect.pipe(
      failOnLostConnection,
      Effect.timeout(limit),
      measured(operation),
      Effect.mapError((cause: StoreFailure | Cause.TimeoutError) =>
        cause instanceof StoreError ? cause : new StoreError({ operation, cause }),
      ),
    )

/** As `storeOperation`, with a span of the same name: for an operation without arguments. */
export const storeEffect =
  (operation: string, limit: Duration.Duration) =>
  <A, R>(effect: Effect.Effect<A, StoreFailure, R>): Effect.Effect<A, StoreError, R> =>
    Effect.withSpan(storeOperation(operation, limit)(effect), operation)

/** `Effect.fn` with `storeOperation` at its end. */
export const storeFn = <Args extends Array<unknown>, A, R>(
  operation: string,
  limit: Duration.Duration,
  run: ((...args: Args) => Effect.fn.Return<A, StoreFailure, R>) | ((...args: Args) => Effect.Effect<A, StoreFailure, R>),
): ((...args: Args) => Effect.Effect<A, StoreError, R>) => {
  const limited = storeOperation(operation, limit)
  return Effect.fn(operation)(run, (answer: Effect.Effect<A, StoreFailure, R>, ..._: Args) => limited(answer))
}

/**
 * Converts a lost connection from a defect to a failure. If it is lost inside a transaction, the ROLLBACK fails as well,
 * which the SQL client reports as a defect.
 */
export const failOnLostConnection = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
  Effect.catchDefect(effect, (defect) => (isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect)))

const isTimeout = (cause: unknown): boolean => cause instanceof Error && cause.name === "TimeoutError"
