/**
 * Reports of processes on when the log answered them last. A process that gets no answer learns here whether the log has
 * answered others of its role since, by the clock of the database.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { OperationTimeout, type StoreError, storeFn } from "../StoreError.ts"

/**
 * Another process must have got its answer this much later, in milliseconds. If the log is away for all, their last
 * answers are only as far apart as their questions.
 */
export const LATER_BY_MS = 400

export interface LogReachReport {
  /** UUID. */
  readonly processId: string
  readonly role: "match" | "gateway"
  /** Milliseconds since the log answered this process last. */
  readonly silentMs: number
}

export class LogReachReports extends Context.Service<
  LogReachReports,
  {
    /** Returns true if the log has answered another process of the role since. */
    readonly report: (report: LogReachReport) => Effect.Effect<boolean, StoreError>
  }
>()("@matchpoint/store/live/LogReachReports") {
  static readonly layer = Layer.effect(
    LogReachReports,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const exchange = SqlSchema.findNonEmpty({
        Request: Schema.Struct({ processId: Schema.String, role: Schema.String, silentMs: Schema.Int }),
        Result: Schema.Struct({ othersReach: Schema.Boolean }),
        execute: ({ processId, role, silentMs }) => sql`
          WITH expired AS (
            DELETE FROM log_reach WHERE reached_at < clock_timestamp() - interval '1 minute' AND process_id <> ${processId}::uuid
          ), mine AS (
            INSERT INTO log_reach (process_id, role, reached_at)
            VALUES (${processId}::uuid, ${role}, clock_timestamp() - ${silentMs}::integer * interval '1 millisecond')
            ON CONFLICT (process_id) DO UPDATE SET reached_at = excluded.reached_at
          )
          SELECT EXISTS (
            SELECT FROM log_reach
            WHERE role = ${role} AND process_id <> ${processId}::uuid
              AND reached_at > clock_timestamp() - ${silentMs - LATER_BY_MS}::integer * interval '1 millisecond'
          ) AS "othersReach"`,
      })

      return LogReachReports.of({
        report: storeFn("LogReachReports.report", limit, (report) =>
          exchange({ ...report, silentMs: Math.round(report.silentMs) }).pipe(
            Effect.catchTag("NoSuchElementError", Effect.die),
            Effect.map(([{ othersReach }]) => othersReach),
          ),
        ),
      })
    }),
  )
}
