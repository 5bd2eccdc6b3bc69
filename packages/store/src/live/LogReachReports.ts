/**
 * Reports of processes that they reach the log. A process that does not reach it learns here whether others of its role do, by the
 * clock of the database.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"

/** How long a report counts, in milliseconds. Processes report every quarter of a second. */
export const REPORT_COUNTS_MS = 600

export interface LogReachReport {
  /** UUID of the process. */
  readonly processId: string
  readonly role: "match" | "gateway"
  /** True if the log has just answered this process. */
  readonly reaches: boolean
}

export class LogReachReports extends Context.Service<
  LogReachReports,
  {
    /** Stores the report, and returns true if another process of the role reaches the log. */
    readonly report: (report: LogReachReport) => Effect.Effect<boolean, StoreError>
  }
>()("@matchpoint/store/live/LogReachReports") {
  static readonly layer = Layer.effect(
    LogReachReports,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const exchange = SqlSchema.findNonEmpty({
        Request: Schema.Struct({ processId: Schema.String, role: Schema.String, reaches: Schema.Boolean }),
        Result: Schema.Struct({ othersReach: Schema.Boolean }),
        execute: ({ processId, reaches, role }) => sql`
          WITH expired AS (
            DELETE FROM log_reach WHERE reached_at < clock_timestamp() - interval '1 minute' AND process_id <> ${processId}::uuid
          ), mine AS (
            INSERT INTO log_reach (process_id, role, reached_at)
            SELECT ${processId}::uuid, ${role}, clock_timestamp() WHERE ${reaches}::boolean
            ON CONFLICT (process_id) DO UPDATE SET reached_at = excluded.reached_at
          )
          SELECT EXISTS (
            SELECT FROM log_reach
            WHERE role = ${role} AND process_id <> ${processId}::uuid
              AND reached_at > clock_timestamp() - ${REPORT_COUNTS_MS}::integer * interval '1 millisecond'
          ) AS "othersReach"`,
      })

      return LogReachReports.of({
        report: Effect.fn("LogReachReports.report")(
          (report) =>
            exchange(report).pipe(
              Effect.catchTag("NoSuchElementError", Effect.die),
              Effect.map(([{ othersReach }]) => othersReach),
            ),
          storeOperation("LogReachReports.report", limit),
        ),
      })
    }),
  )
}
