/** Keeps the summaries of the tennis archive up to date. Each summary has its own file in this folder. */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { holdUntilCommit } from "../../database/advisoryLock.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../../StoreError.ts"
import { circuitPlayers, coverageYears, playerCounts } from "../content/coverageSummaries.ts"
import { seasonBoards } from "../leaderboards/seasonBoards.ts"
import { rankingCareers, rankingWeeks } from "../rankings/rankingSummaries.ts"
import { competitions } from "./competitions.ts"
import { matchCounts } from "./matchCounts.ts"
import { playerSummaries, playerTotals } from "./playerSummaries.ts"
import { playerYearSums } from "./playerYearSums.ts"
import type { ArchiveAddition, TennisSummary } from "./TennisSummary.ts"
import { tournamentCounts, tournaments } from "./tournaments.ts"

/** In the order in which they are computed. A summary may read those before it. */
export const summaries: ReadonlyArray<TennisSummary> = [
  rankingWeeks,
  rankingCareers,
  seasonBoards,
  coverageYears,
  circuitPlayers,
  playerCounts,
  playerYearSums,
  playerSummaries,
  playerTotals,
  matchCounts,
  tournaments,
  tournamentCounts,
  competitions,
]

export class TennisSummaries extends Context.Service<
  TennisSummaries,
  {
    /** Computes all summaries again. Takes about a minute for an archive of 1.8 million matches. */
    readonly rebuild: Effect.Effect<void, StoreError>
    /** Updates the summaries after one match was added to the archive. */
    readonly update: (added: ArchiveAddition) => Effect.Effect<void, StoreError>
  }
>()("@matchpoint/store/tennis/summaries/TennisSummaries") {
  static readonly layer = Layer.effect(
    TennisSummaries,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      return TennisSummaries.of({
        rebuild: Effect.gen(function* () {
          for (const { rebuild } of summaries) {
            yield* holdUntilCommit(sql, "tennis.summaries").pipe(
              Effect.andThen(Effect.forEach(rebuild, (statement) => sql`${sql.literal(statement)}`, { discard: true })),
              sql.withTransaction,
              storeOperation("TennisSummaries.rebuild", limit),
            )
          }
          // Removes the old rows, and moves new ones from the pending list of an index of names, which each search would
          // read otherwise. VACUUM does not run in a transaction.
          for (const { table } of summaries) {
            yield* sql`${sql.literal(`VACUUM ${table}`)}`.pipe(storeOperation("TennisSummaries.rebuild", limit))
          }
        }).pipe(Effect.withSpan("TennisSummaries.rebuild")),
        update: Effect.fn("TennisSummaries.update")(function* (added) {
          yield* holdUntilCommit(sql, "tennis.summaries").pipe(
            Effect.andThen(
              Effect.forEach(summaries, ({ update }) => Effect.forEach(update(sql, added), (statement) => sql`${statement}`), {
                discard: true,
              }),
            ),
            sql.withTransaction,
            storeOperation("TennisSummaries.update", limit),
          )
        }),
      })
    }),
  )
}
