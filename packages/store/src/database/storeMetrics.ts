/** Database metrics for operators. The number of running operations is to be compared with the pool size. */
import { Effect, Metric } from "effect"

export const poolSize = Metric.gauge("matchpoint_database_pool_connections", {
  description: "Maximum number of connections to the database",
})
export const operationsRunning = Metric.gauge("matchpoint_database_operations_running", {
  description: "Database operations running or waiting for a connection; above the pool size, some are waiting",
})
export const operationDuration = Metric.histogram("matchpoint_database_operation_duration_seconds", {
  description: "Duration of database operations, including the wait for a connection",
  boundaries: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5, 10],
})
export const operationsFailed = Metric.counter("matchpoint_database_operation_failures_total", {
  description: "Failed database operations, by operation",
  incremental: true,
})

/** Measures one operation. Takes less than a microsecond, which is little compared with a database round trip. */
export const measured = (operation: string) => {
  const failures = Metric.withAttributes(operationsFailed, { operation })
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.contextWith((context) => {
      const begunAt = performance.now()
      operationsRunning.modifyUnsafe(1, context)
      return Effect.onExit(effect, (exit) =>
        Effect.sync(() => {
          operationsRunning.modifyUnsafe(-1, context)
          operationDuration.updateUnsafe((performance.now() - begunAt) / 1_000, context)
          if (exit._tag === "Failure") failures.updateUnsafe(1, context)
        }),
      )
    })
}
