/** Tests that the computation of the summaries continues after it was stopped at any step. */
import { assert, layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { Imports } from "@matchpoint/store/Imports"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { SummaryProgress } from "../../src/archive/summaries/SummaryProgress.ts"
import { StepSizes } from "../../src/archive/summaries/summarySteps.ts"
import { summaries, TennisSummaries } from "../../src/archive/summaries/TennisSummaries.ts"
import { TennisArchiveWriter } from "../../src/archive/TennisArchiveWriter.ts"
import { TENNIS } from "../../src/rules/game.ts"
import { rankedTennis } from "./fixtures/rankedTennis.ts"
import { writeTennisFiles } from "./fixtures/tennisFiles.ts"

const NOW = Date.UTC(2024, 5, 12, 12)

const file = { source: "matches", file: "a", fingerprint: "f" }

const rowsOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.forEach(summaries, ({ table }) =>
    Effect.map(
      sql`SELECT to_jsonb(t) AS row FROM ${sql(table)} t ORDER BY to_jsonb(t)::text COLLATE "C"`,
      (rows) => [table, rows.map(({ row }) => row)] as const,
    ),
  )
})

/** Computes the summaries. Dies before the step with the number `stopAt`. Returns the names of the steps that began. */
const compute = Effect.fnUntraced(function* (stopAt?: number) {
  const { resume } = yield* TennisSummaries
  const names: Array<string> = []
  const exit = yield* Effect.exit(
    resume(({ done, name }) => (done === stopAt ? Effect.die("killed") : Effect.sync(() => void names.push(name)))),
  )
  assert.strictEqual(Exit.isSuccess(exit), stopAt === undefined)
  return names
})

onDatabaseOfRun((driver, database) => {
  const stores = Layer.mergeAll(Imports.layer, SummaryProgress.layer, TennisArchiveWriter.layer, TennisSummaries.layer).pipe(
    Layer.provide(Migrations.layer),
    Layer.provideMerge(database),
  )
  layer(stores, { timeout: "120 seconds" })(`computation of the summaries of tennis, ${driver}`, (it) => {
    it.effect("continues after five stops, reports that the summaries are missing, and gives the same rows", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { read } = yield* SummaryProgress
        const imports = (yield* Imports).of(TENNIS)
        yield* imports.begin(file)
        assert.deepStrictEqual(yield* read, { state: "complete", done: 0, steps: 0 })
        yield* imports.batch(file, writeTennisFiles(rankedTennis(NOW)), () => ({ done: 9, written: 9, rejected: 0 }))
        assert.deepStrictEqual(yield* read, { state: "missing", done: 0, steps: 0 })

        let steps = 0
        for (const stopAt of [1, 5, 12, 20, 31]) {
          assert.lengthOf(yield* compute(stopAt), stopAt)
          const progress = yield* read
          steps = progress.steps
          assert.deepStrictEqual([progress.state, progress.done], ["missing", stopAt])
          // Finished steps are not computed again: rows that were changed meanwhile stay.
          yield* sql`UPDATE tennis_ranking_weeks SET entries = ${stopAt} WHERE tour = 'atp'`
        }
        assert.isAbove(steps, 32)
        assert.lengthOf(yield* compute(), steps)
        assert.deepStrictEqual(yield* read, { state: "outdated", done: 0, steps: 0 })
        const [{ entries } = { entries: 0 }] = yield* sql<{ readonly entries: number }>`
          SELECT max(entries) AS entries FROM tennis_ranking_weeks WHERE tour = 'atp'`
        assert.strictEqual(entries, 31)

        const mark = yield* imports.underived
        if (mark._tag === "Some") yield* imports.derived(mark.value)
        assert.strictEqual((yield* read).state, "complete")
        // Once all steps are finished, the next computation begins again.
        yield* compute()
        const resumed = yield* rowsOf
        yield* (yield* TennisSummaries).rebuild.pipe(Effect.provideService(StepSizes, { matches: 1_000_000, players: 1_000_000 }))
        assert.deepStrictEqual(resumed, yield* rowsOf)
        assert.isTrue(resumed.every(([, rows]) => rows.length > 0))
      }).pipe(Effect.provideService(StepSizes, { matches: 3, players: 1 })),
    )

    it.effect("begins again after more rows were imported, and the summaries are outdated until then", () =>
      Effect.gen(function* () {
        const { read } = yield* SummaryProgress
        const imports = (yield* Imports).of(TENNIS)
        yield* imports.batch(file, Effect.void, () => ({ done: 10, written: 1, rejected: 0 }))
        assert.strictEqual((yield* read).state, "outdated")
        yield* compute(2)
        assert.deepInclude(yield* read, { state: "outdated", done: 2 })
      }),
    )

    it.effect("are outdated if an earlier version computed them", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE imports SET finished_at = now()`
        yield* sql`UPDATE tennis_summary_run SET version = 1, completed_version = 1, completed_written = written`
        assert.deepStrictEqual(yield* (yield* SummaryProgress).read, { state: "outdated", done: 0, steps: 0 })
      }),
    )
  })
})
