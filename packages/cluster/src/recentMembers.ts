/**
 * The members that have reported recently, to the millisecond. effect's own query compares whole seconds, so there a
 * member counts as dead up to a second too late.
 */
import { Effect } from "effect"
import { ClusterError, Runner, type RunnerStorage } from "effect/cluster"
import { SqlClient } from "effect/sql"

export interface RecentMembersOptions {
  readonly tables: string
  /** How long a report counts, by the clock of the database. */
  readonly withinMs: () => number
}

export const recentMembers = ({ tables, withinMs }: RecentMembersOptions) =>
  Effect.map(SqlClient.SqlClient, (client): RunnerStorage.RunnerStorage["Service"]["getRunners"] => {
    const sql = client.withoutTransforms()
    const reported = Effect.suspend(
      () => sql<{ readonly runner: string; readonly healthy: boolean }>`
      SELECT runner, healthy FROM ${sql(`${tables}_runners`)}
      WHERE last_heartbeat > NOW() - ${Math.ceil(withinMs())}::integer * INTERVAL '1 millisecond'`,
    )
    return reported.pipe(
      Effect.map((rows) => rows.map(({ healthy, runner }) => [Runner.Runner.decodeSync(runner), healthy] as const)),
      ClusterError.PersistenceError.refail,
      Effect.withTracerEnabled(false),
    )
  })
