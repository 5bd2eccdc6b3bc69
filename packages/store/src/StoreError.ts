/**
 * The one failure every repository of this package speaks, and the time limit every operation runs under.
 * It owns no SQL and no retry policy: a caller that wants to retry asks `isRetryable`.
 */
import { inspect } from "node:util"
import { type Cause, Context, Duration, Effect, Schema } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { isPermanent, sqlStateOf } from "./database/sqlStates.ts"
import { measured } from "./database/storeMetrics.ts"

/** `operation` is the service method, such as `"Checkpoints.save"`; `cause` is the SQL, decoding or timeout error underneath. */
export class StoreError extends Schema.TaggedError<StoreError>("@matchpoint/store/StoreError")("StoreError", {
  operation: Schema.String,
  cause: Schema.Defect(),
}) {
  override get message(): string {
    return `${this.operation} failed: ${this.cause instanceof Error ? this.cause.message : inspect(this.cause)}`
  }

  /** True when the same call may succeed later (connection lost, deadlock, lock or statement timeout). */
  get isRetryable(): boolean {
    return isSqlError(this.cause) ? this.cause.isRetryable : isTimeout(this.cause)
  }

  /** True if the same write cannot succeed, because of what is written. Neither this nor `isRetryable`: a bug, or a database set up wrong. */
  get isPermanent(): boolean {
    return isPermanent(this.cause)
  }

  get sqlState(): string | undefined {
    return sqlStateOf(this.cause)
  }
}

/**
 * How long one repository operation may take in all, waiting for a connection included. The drivers set it a little above the
 * server's own `statement_timeout`, so that a healthy server reports first and this limit is left for a server that is gone.
 */
export const OperationTimeout = Context.Reference<Duration.Duration>("@matchpoint/store/StoreError/OperationTimeout", {
  defaultValue: () => Duration.seconds(12),
})

/**
 * Bounds an operation in time and turns whatever goes wrong in it into a `StoreError` that names it, or the operation inside it that
 * failed. A write that ran out of time may still have happened. Cancelling it can take up to 5 seconds after the limit, because a
 * session that is given back with a statement running would answer the next caller.
 */
export const storeOperation =
  (operation: string, limit: Duration.Duration) =>
  <A, R>(effect: Effect.Effect<A, SqlError | Schema.SchemaError | StoreError, R>): Effect.Effect<A, StoreError, R> =>
    effect.pipe(
      failWhenLost,
      Effect.timeout(limit),
      measured(operation),
      Effect.mapError((cause: SqlError | Schema.SchemaError | StoreError | Cause.TimeoutError) =>
        cause instanceof StoreError ? cause : new StoreError({ operation, cause }),
      ),
    )

/** A connection that is lost inside of a transaction takes its ROLLBACK along, which the client calls a defect. Here it is a failure. */
export const failWhenLost = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
  Effect.catchDefect(effect, (defect) => (isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect)))

const isTimeout = (cause: unknown): boolean => cause instanceof Error && cause.name === "TimeoutError"
