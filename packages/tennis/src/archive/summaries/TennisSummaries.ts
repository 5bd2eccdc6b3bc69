/** Keeps the summaries of the tennis archive up to date. Each summary has its own file in this folder. */
import { PgClient } from "@effect/sql-pg"
import { holdUntilCommit } from "@matchpoint/store/database/advisoryLock"
import { DERIVED } from "@matchpoint/store/Imports"
import { OperationTimeout, type StoreError, storeOperation } from "@matchpoint/store/StoreError"
import type { OnStep } from "@matchpoint/store/steps"
import { Context, Effect, Layer, Schedule, Schema } from "effect"
import { TENNIS } from "../../rules/game.ts"
import { circuitPlayers, coverageYears, playerCounts } from "../content/coverageSummaries.ts"
import { seasonBoards } from "../leaderboards/seasonBoards.ts"
import { rankingCareers, rankingWeeks } from "../rankings/rankingSummaries.ts"
import { competitions } from "./competitions.ts"
import { matchCounts } from "./matchCounts.ts"
import { playerNames } from "./playerNames.ts"
import { playerSummaries, playerTotals } from "./playerSummaries.ts"
import { playerYearSums } from "./playerYearSums.ts"
import { SUMMARY_VERSION } from "./SummaryProgress.ts"
import { planSteps, type SummaryStep } from "./summarySteps.ts"
import type { ArchiveAddition, TennisSummary } from "./TennisSummary.ts"
import { tournamentCounts, tournaments } from "./tournaments.ts"

/** In the order in which they are computed. A summary may read those before it. */
export const summaries: ReadonlyArray<TennisSummary> = [
  rankingWeeks,
  rankingCareers,
  seasonBoards,
  coverageYears,
  playerYearSums,
  circuitPlayers,
  playerCounts,
  playerSummaries,
  playerTotals,
  playerNames,
  matchCounts,
  tournaments,
  tournamentCounts,
  competitions,
]

export class TennisSummaries extends Context.Service<
  TennisSummaries,
  {
    /** From the first step on. */
    readonly rebuild: Effect.Effect<void, StoreError>
    /**
     * Computes the summaries without the steps that an earlier call has finished since rows were last imported. If all
     * are finished, begins again. Each step is a transaction of its own, and is tried three times if the database fails
     * temporarily.
     */
    readonly resume: (onStep: OnStep) => Effect.Effect<void, StoreError>
    /** Call this after one match was added to the archive. */
    readonly update: (added: ArchiveAddition) => Effect.Effect<void, StoreError>
  }
>()("@matchpoint/tennis/archive/summaries/TennisSummaries") {
  static readonly layer = Layer.effect(
    TennisSummaries,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout
      const operation = storeOperation("TennisSummaries.rebuild", limit)

      // One at a time: rows are deleted and inserted again, so an import and a finished match would insert the same rows.
      const inTransaction = <A, E>(work: Effect.Effect<A, E>) =>
        holdUntilCommit(sql, "tennis.summaries").pipe(Effect.andThen(work), sql.withTransaction)

      /** Begins a computation, or continues the one that was begun for the same rows. Returns its finished steps. */
      const begin = (steps: number) =>
        inTransaction(
          Effect.gen(function* () {
            const continued = yield* sql`
              UPDATE tennis_summary_run SET steps = ${steps}
              WHERE version = ${SUMMARY_VERSION} AND written = (${writtenText(sql)})
                AND (completed_version, completed_written) IS DISTINCT FROM (version, written)
              RETURNING version`
            if (continued.length > 0) return yield* Effect.flatMap(sql`SELECT step FROM tennis_summary_steps`, decodeSteps)
            yield* sql`DELETE FROM tennis_summary_steps`
            // The completed computation stays the one that readers use. Forgetting its rows makes this one unfinished.
            yield* sql`
              INSERT INTO tennis_summary_run (version, written, steps) SELECT ${SUMMARY_VERSION}, (${writtenText(sql)}), ${steps}
              ON CONFLICT (only_row) DO UPDATE SET version = excluded.version, written = excluded.written, steps = excluded.steps,
                completed_written = NULL`
            return []
          }),
        ).pipe(Effect.map((rows) => new Set(rows.map(({ step }) => step))))

      /** A server that has imported nothing computes the summaries without steps. */
      const complete = sql`
        INSERT INTO tennis_summary_run (version, written, steps, completed_version, completed_written)
        SELECT ${SUMMARY_VERSION}, w.written, 0, ${SUMMARY_VERSION}, w.written FROM (${writtenText(sql)}) w (written)
        ON CONFLICT (only_row) DO UPDATE SET version = excluded.version, completed_version = excluded.completed_version,
          written = tennis_summary_run.written, completed_written = tennis_summary_run.written`

      const run = ({ maintenance, name, statements }: SummaryStep, isRecorded: boolean) =>
        Effect.gen(function* () {
          if (maintenance !== undefined) yield* sql`${sql.literal(maintenance)}`
          const work = Effect.gen(function* () {
            for (const statement of statements) yield* sql`${sql.literal(statement)}`
            if (isRecorded) yield* sql`INSERT INTO tennis_summary_steps (step) VALUES (${name}) ON CONFLICT DO NOTHING`
          })
          yield* inTransaction(work)
        }).pipe(operation, Effect.retry({ times: 2, schedule: Schedule.exponential("1 second"), while: ({ isRetryable }) => isRetryable }))

      return TennisSummaries.of({
        rebuild: Effect.gen(function* () {
          for (const step of yield* planSteps(sql, summaries).pipe(operation)) yield* run(step, false)
          yield* complete.pipe(operation)
        }).pipe(Effect.withSpan("TennisSummaries.rebuild")),
        resume: Effect.fn("TennisSummaries.resume")(function* (onStep) {
          const steps = yield* planSteps(sql, summaries).pipe(operation)
          const finished = yield* begin(steps.length).pipe(operation)
          for (const [done, step] of steps.entries()) {
            yield* onStep({ name: step.name, done, steps: steps.length })
            if (!finished.has(step.name)) yield* run(step, true)
          }
          yield* complete.pipe(operation)
        }),
        update: Effect.fn("TennisSummaries.update")(function* (added) {
          yield* inTransaction(
            Effect.forEach(summaries, ({ update }) => Effect.forEach(update(sql, added), (statement) => sql`${statement}`), {
              discard: true,
            }),
          ).pipe(storeOperation("TennisSummaries.update", limit))
        }),
      })
    }),
  )
}

const decodeSteps = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ step: Schema.String })))

/** Rows that imports have written so far. */
const writtenText = (sql: PgClient.PgClient) =>
  sql`SELECT COALESCE(max(written), 0) FROM imports WHERE game = ${TENNIS} AND source = ${DERIVED}`
