/** Tests the import of a small tennis archive that the test writes itself, on both databases. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { Imports } from "@matchpoint/store/Imports"
import { PlayerMerges } from "@matchpoint/tennis/archive/merges/PlayerMerges"
import { SimulatedTours } from "@matchpoint/tennis/archive/SimulatedTours"
import { SummaryProgress } from "@matchpoint/tennis/archive/summaries/SummaryProgress"
import { TennisSummaries } from "@matchpoint/tennis/archive/summaries/TennisSummaries"
import { TennisArchiveWriter } from "@matchpoint/tennis/archive/TennisArchiveWriter"
import { BATCH_SIZE } from "@matchpoint/tennis/feed/import/lines"
import { tennisImports } from "@matchpoint/tennis/feed/import/tennisImports"
import { TENNIS } from "@matchpoint/tennis/rules/game"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { findFiles } from "../../src/import/findFiles.ts"
import { importSource } from "../../src/import/Importer.ts"
import type { ImportEvent } from "../../src/import/Progress.ts"

const header = "tourney_id,tourney_name,surface,tourney_date,match_num,winner_id,winner_name,loser_id,loser_name,score,best_of,round,w_ace"
const reordered = "score,tourney_id,round,winner_id,loser_id,tourney_date,match_num"
const doubles = "tourney_id,tourney_date,match_num,winner1_id,winner2_id,loser1_id,loser2_id,score,round"
const name = String.raw`Bea "B\B", O'Neil`
const quoted = `"${name.replaceAll('"', '""')}"`

const files: Readonly<Record<string, ReadonlyArray<string>>> = {
  "atp/atp_players.csv": ["player_id,name_first,name_last,hand,dob,ioc,height,wikidata_id", "101,Al,Able,R,19800102,USA,185,Q1"],
  "atp/atp_matches_2003.csv": [
    header,
    "2003-1,Halle,Grass,20030609,1,101,Al Able,102,Cy Cole,6-4 6-7(5) [10-8],3,F,12",
    "2003-1,Halle,Grass,not a day,2,101,Al Able,103,Di Dale,6-4 6-4,3,SF,",
    "2003-1,Halle,,20030609,3,102,Cy Cole,104,Ed Ellis,6-? RET,3,SF,",
  ],
  "atp/atp_matches_futures_2004.csv": [
    reordered,
    "6-1 6-1,2003-1,R32,105,106,20040105,1",
    "6-1\0 6-1,2003-1,R32,105,106,20040105,2",
    `${"6-1 ".repeat(600)},2003-1,R32,105,106,20040105,3`,
  ],
  "atp/atp_matches_doubles_2004.csv": [doubles, "2004-1,20040105,1,101,102,103,104,6-4 6-4,F"],
  "wta/wta_matches_2024.csv": [
    header,
    `2024-2,Rome,Clay,20240506,1,201,${quoted},202,Fay Finn,6-4 6-4,3,F,`,
    `2024-2,Rome,Clay,20240506,9,201,${quoted},202,Fay Finn,6-4 6-4,3,F,`,
  ],
  "rankings/wta_rankings_20s.csv": [
    "ranking_date,rank,player,points,tours",
    ...Array.from({ length: BATCH_SIZE + 100 }, (_, index) => `20240101,${index + 1},${index + 1},${9_000 - index},1`),
  ],
  "points/points.csv": ["not an archive"],
}

const put = Effect.fnUntraced(function* (root: string, path: string, lines: ReadonlyArray<string>) {
  yield* Effect.promise(() => mkdir(join(root, path, ".."), { recursive: true }))
  yield* Effect.promise(() => writeFile(join(root, path), lines.join("\r\n")))
})

const setUp = Effect.gen(function* () {
  const root = yield* temporaryDirectory
  const sql = yield* SqlClient.SqlClient
  yield* sql`TRUNCATE tennis_players, tennis_matches, tennis_doubles_matches, tennis_rankings, imports`
  for (const [path, lines] of Object.entries(files)) yield* put(root, path, lines)
  const run = Effect.fnUntraced(function* (again = false, stopAfter?: string) {
    const events: Array<ImportEvent> = []
    const exits = []
    for (const { source } of tennisImports.sources) {
      const listener = (event: ImportEvent) => {
        events.push(event)
        return event.type === "BatchDone" && event.source === stopAfter ? Effect.die("stopped") : Effect.void
      }
      exits.push(yield* Effect.exit(importSource(TENNIS, source, yield* findFiles(source, root), listener, { again })))
    }
    return { events, tallies: exits.map((exit) => (Exit.isSuccess(exit) ? exit.value.tally : undefined)) }
  })
  return { root, run, sql }
})

const none = { created: 0, updated: 0, unchanged: 0 }

onDatabaseOfRun((driver, database) => {
  const stores = Layer.mergeAll(
    Imports.layer,
    PlayerMerges.layer,
    SimulatedTours.layer,
    SummaryProgress.layer,
    TennisArchiveWriter.layer,
    TennisSummaries.layer,
  ).pipe(Layer.provide(Migrations.layer), Layer.provideMerge(database), Layer.merge(NodeServices.layer))
  layer(stores, { timeout: "60 seconds" })(`tennis import, ${driver}`, (it) => {
    it.effect("stores rows once, rejects bad lines and counts by kind", () =>
      Effect.gen(function* () {
        const { run, sql } = yield* setUp
        const { events, tallies } = yield* run()
        assert.deepStrictEqual(tallies, [
          { ...none, created: 1 },
          { ...none, created: 5, unchanged: 1 },
          { ...none, created: BATCH_SIZE + 100 },
        ])
        const rejected = events.flatMap((event) => (event.type === "Rejected" ? [[event.file, event.rejection]] : []))
        assert.deepStrictEqual(rejected, [
          [
            "atp/atp_matches_2003.csv",
            {
              number: 2,
              reason: "tourney_date is not a date: not a day",
              record: { line: 3, text: files["atp/atp_matches_2003.csv"]?.[2] },
            },
          ],
          [
            "atp/atp_matches_futures_2004.csv",
            { number: 2, reason: "the line has a null character, which the database cannot store", record: { line: 3 } },
          ],
          ["atp/atp_matches_futures_2004.csv", { number: 3, reason: "the line has 2430 characters, at most 2000", record: { line: 4 } }],
        ])
        const stored = yield* sql`
          SELECT match_id, winner_id, winner_aces, score, ending, score_problem, winner_games, tiebreak_points, date_is_tournament_start
          FROM tennis_matches WHERE match_id LIKE 'atp-tour-%' ORDER BY match_id`
        assert.deepStrictEqual(stored, [
          {
            match_id: "atp-tour-2003-1-1",
            winner_id: "atp_101",
            winner_aces: 12,
            score: "6-4 6-7(5) [10-8]",
            ending: "completed",
            score_problem: null,
            winner_games: [6, 6, 10],
            tiebreak_points: [null, 5, null],
            date_is_tournament_start: true,
          },
          {
            match_id: "atp-tour-2003-1-3",
            winner_id: "atp_102",
            winner_aces: null,
            score: "6-? RET",
            ending: "retired",
            score_problem: "missing_games",
            winner_games: [],
            tiebreak_points: [],
            date_is_tournament_start: true,
          },
        ])
        assert.deepStrictEqual(yield* sql`SELECT winner_name, match_number FROM tennis_matches WHERE tour = 'wta'`, [
          { winner_name: name, match_number: 1 },
        ])
        const writer = yield* TennisArchiveWriter
        yield* writer.prepare(() => Effect.void)
        assert.deepStrictEqual(yield* writer.matchCounts, [
          { kind: "atp tour", count: 2 },
          { kind: "atp doubles", count: 1 },
          { kind: "atp futures", count: 1 },
          { kind: "wta tour", count: 1 },
        ])
        assert.deepStrictEqual(yield* writer.problemCounts, [{ kind: "missing_games", count: 1 }])
      }),
    )

    it.effect("changes nothing in a second run, and applies the changes of a changed file", () =>
      Effect.gen(function* () {
        const { root, run, sql } = yield* setUp
        yield* run()
        const second = yield* run()
        assert.deepStrictEqual(second.tallies, [none, none, none])
        assert.lengthOf(
          second.events.filter(({ type }) => type === "FileSkipped"),
          6,
        )
        const again = yield* run(true)
        assert.deepStrictEqual(again.tallies, [
          { ...none, unchanged: 1 },
          { ...none, unchanged: 6 },
          { ...none, unchanged: BATCH_SIZE + 100 },
        ])
        const path = "atp/atp_matches_futures_2004.csv"
        yield* put(root, path, files[path]?.map((line) => line.replace("6-1 6-1", "6-1 6-0")) ?? [])
        assert.deepStrictEqual((yield* run()).tallies[1], { ...none, updated: 1 })
        assert.deepStrictEqual(yield* sql`SELECT score FROM tennis_matches WHERE circuit = 'futures'`, [{ score: "6-1 6-0" }])
      }),
    )

    it.effect("continues a stopped file after its last batch", () =>
      Effect.gen(function* () {
        const { run, sql } = yield* setUp
        const stopped = yield* run(false, "rankings")
        assert.isUndefined(stopped.tallies[2])
        const { events, tallies } = yield* run()
        assert.deepStrictEqual(tallies, [none, none, { ...none, created: 100 }])
        assert.deepStrictEqual(
          events.flatMap((event) => (event.type === "FileBegun" ? [event.from] : [])),
          [BATCH_SIZE],
        )
        assert.deepStrictEqual(yield* sql`SELECT count(*)::integer AS count FROM tennis_rankings`, [{ count: BATCH_SIZE + 100 }])
      }),
    )

    it.effect("refuses a file without the required columns", () =>
      Effect.gen(function* () {
        const { root, run } = yield* setUp
        yield* put(root, "atp/atp_matches_2005.csv", ["a,b", "1,2"])
        const { events } = yield* run()
        assert.deepStrictEqual(
          events.flatMap((event) => (event.type === "FileRefused" ? [[event.file, event.reason]] : [])),
          [["atp/atp_matches_2005.csv", "the header has no column tourney_id"]],
        )
      }),
    )
  })
})
