/** Tests that updating the summaries of rankings, leaderboards and coverage gives the same rows as computing them again. */
import { assert, layer } from "@effect/vitest"
import { gameName } from "@matchpoint/domain/ids"
import { Migrations } from "@matchpoint/games/Migrations"
import { Imports } from "@matchpoint/store/Imports"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TennisCoverage } from "../../src/archive/content/TennisCoverage.ts"
import { TennisSummaries } from "../../src/archive/summaries/TennisSummaries.ts"
import { TennisArchiveWriter } from "../../src/archive/TennisArchiveWriter.ts"
import { TENNIS } from "../../src/rules/game.ts"
import { rankedTennis } from "./fixtures/rankedTennis.ts"
import { importTennisFiles, writeTennisFiles } from "./fixtures/tennisFiles.ts"

const NOW = Date.UTC(2024, 5, 12, 12)

const header = "tourney_id,tourney_name,tourney_level,surface,tourney_date,match_num,winner_id,loser_id,score,round,w_ace,l_ace"

const tables = ["ranking_weeks", "ranking_careers", "season_boards", "coverage_years", "circuit_players", "player_counts"]

const rowsOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found: Array<readonly [string, unknown]> = []
  for (const table of tables) {
    const rows = yield* sql`SELECT to_jsonb(t) AS row FROM ${sql(`tennis_${table}`)} t ORDER BY to_jsonb(t)::text COLLATE "C"`
    found.push([table, rows.map(({ row }) => row)])
  }
  return found
})

onDatabaseOfRun((driver, database) => {
  const stores = Layer.mergeAll(Imports.layer, TennisArchiveWriter.layer, TennisCoverage.layer, TennisSummaries.layer).pipe(
    Layer.provide(Migrations.layer),
    Layer.provideMerge(database),
  )
  layer(stores, { timeout: "60 seconds" })(`summaries of tennis, ${driver}`, (it) => {
    it.effect("follow an added match, which takes the final from another one", () =>
      Effect.gen(function* () {
        const summaries = yield* TennisSummaries
        yield* importTennisFiles(rankedTennis(NOW))
        const before = yield* rowsOf
        const lines = [
          ["2019-11,Hard Open,A,Hard,20190202,9,4,5,6-? 6-1,F,9,1", "2019-11", 2019, ["atp_4", "atp_5"]],
          ["2025-5,New Open,A,Clay,20241230,1,6,1,7-6(2) 6-1,F,9,1", "2025-5", 2024, ["atp_6", "atp_1"]],
        ] as const
        for (const [line, tournamentId, year, playerIds] of lines) {
          yield* writeTennisFiles([{ tour: "atp", kind: "tour", lines: [header, line] }])
          yield* summaries.update({ tour: "atp", playerIds, tournamentId, year })
        }
        const updated = yield* rowsOf
        assert.notDeepEqual(updated, before)
        yield* summaries.rebuild
        assert.deepStrictEqual(updated, yield* rowsOf)
      }),
    )

    it.effect("are computed one at a time, by an import and by finished matches", () =>
      Effect.gen(function* () {
        const { rebuild, update } = yield* TennisSummaries
        const added = { tour: "atp", playerIds: ["atp_1", "atp_6"], tournamentId: "2025-5", year: 2024 } as const
        const before = yield* rowsOf
        yield* Effect.all([update(added), rebuild, update(added), rebuild, update(added)], { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* rowsOf, before)
      }),
    )

    it.effect("report the files of imports by source, without the imports of other games", () =>
      Effect.gen(function* () {
        const imports = yield* Imports
        const file = (source: string, name: string) => ({ source, file: name, fingerprint: "f" })
        const tennis = imports.of(TENNIS)
        yield* imports.of(gameName("cs2")).begin(file("matches", "other"))
        for (const name of ["a", "b"]) {
          yield* tennis.begin(file("matches", name))
          yield* tennis.batch(file("matches", name), Effect.void, () => ({ done: 3, written: 2, rejected: 1 }))
        }
        yield* tennis.finish(file("matches", "a"))
        // A file that is read again and has not changed keeps the number of rows that were written.
        yield* tennis.begin(file("matches", "a"))
        yield* tennis.batch(file("matches", "a"), Effect.void, () => ({ done: 3, written: 0, rejected: 1 }))
        yield* tennis.finish(file("matches", "a"))
        const { last_live_result, sources } = yield* Effect.flatMap(TennisCoverage, ({ sync }) => sync)
        assert.isNull(last_live_result)
        assert.deepStrictEqual(
          sources.map(({ last_finished_at, ...counts }) => ({ ...counts, finished: last_finished_at !== null })),
          [{ source: "matches", files: 2, unfinished_files: 1, rows_read: 6, rows_written: 4, rows_rejected: 2, finished: true }],
        )
      }),
    )

    it.effect("do not treat lists as consecutive if lists between them are missing", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const weeks = yield* sql`
          SELECT ranking_date::text AS date, previous_date::text AS previous FROM tennis_ranking_weeks WHERE tour = 'atp' ORDER BY ranking_date`
        assert.deepStrictEqual(weeks, [
          { date: "2019-05-06", previous: null },
          { date: "2019-05-13", previous: "2019-05-06" },
          { date: "2024-01-21", previous: null },
          { date: "2024-06-02", previous: "2024-01-21" },
          { date: "2024-06-09", previous: "2024-06-02" },
        ])
      }),
    )
  })
})
