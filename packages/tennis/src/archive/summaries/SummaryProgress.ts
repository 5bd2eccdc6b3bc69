/** Progress of the computation of the tennis summaries. States whether readers can use them. */
import { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { DERIVED } from "@matchpoint/store/Imports"
import { OperationTimeout, type StoreError, storeEffect } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { summaryStates } from "../../contract/http/data/coverageModels.ts"
import { TENNIS } from "../../rules/game.ts"

/** Raise it with every change of what the summaries contain: the next import then computes those of existing archives again. */
export const SUMMARY_VERSION = 2

const SummaryProgressRow = Schema.Struct({
  state: Schema.Literals(summaryStates),
  /** Finished steps of the computation that was begun last. 0 if it has not begun. */
  done: Counter,
  /** All steps. 0 if it has not begun. */
  steps: Counter,
})
export type SummaryProgressRow = typeof SummaryProgressRow.Type

export class SummaryProgress extends Context.Service<
  SummaryProgress,
  {
    readonly read: Effect.Effect<SummaryProgressRow, StoreError>
  }
>()("@matchpoint/tennis/archive/summaries/SummaryProgress") {
  static readonly layer = Layer.effect(
    SummaryProgress,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout
      const select = Effect.suspend(
        () => sql`
        SELECT CASE
            WHEN r.completed_version IS NULL AND (r.only_row OR i.pending) THEN 'missing'
            WHEN i.pending OR r.completed_version < ${SUMMARY_VERSION} THEN 'outdated'
            ELSE 'complete' END AS state,
          CASE WHEN ${isRunning(sql)} THEN (SELECT count(*) FROM tennis_summary_steps) ELSE 0 END AS done,
          (CASE WHEN ${isRunning(sql)} THEN r.steps ELSE 0 END)::bigint AS steps
        FROM (SELECT EXISTS (SELECT FROM imports
          WHERE game = ${TENNIS} AND source = ${DERIVED} AND finished_at IS NULL) AS pending) i
        LEFT JOIN tennis_summary_run r ON true`,
      )
      return SummaryProgress.of({
        read: Effect.flatMap(select, decode).pipe(
          Effect.map(([row]) => row),
          storeEffect("SummaryProgress.read", limit),
        ),
      })
    }),
  )
}

const decode = Schema.decodeUnknownEffect(Schema.NonEmptyArray(SummaryProgressRow))

/** The computation that was begun last has not reached its end. */
const isRunning = (sql: PgClient.PgClient) =>
  sql.literal("(r.completed_version, r.completed_written) IS DISTINCT FROM (r.version, r.written)")
