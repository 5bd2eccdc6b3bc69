/** What operators see of the database: operations running against the size of the pool, how long they take, which fail. */
import { Effect, Metric } from "effect"

export const poolSize = Metric.gauge("matchpoint_database_pool_connections", { description: "Connections to the database, at most" })
export const operationsRunning = Metric.gauge("matchpoint_database_operations_running", {
  description: "Database operations that run or wait for a connection; more than the pool has connections: some wait",
})
export const operationDuration = Metric.histogram("matchpoint_database_operation_duration_seconds", {
  description: "Database operations, waiting for a connection included",
  boundaries: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5, 10],
})
export const operationsFailed = Metric.counter("matchpoint_database_operation_failures_total", {
  description: "Database operations that failed, by operation",
  incremental: true,
})

/** Counts the operation while it runs. Costs less than a microsecond, against a round trip to the database. */
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
