/**
 * Tests the import of results and team pages into the archive. A second import changes nothing. An import that is
 * interrupted and continued gives the same rows as an uninterrupted one.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it as effectIt } from "@effect/vitest"
import { ArchiveWriter } from "@matchpoint/cs2/archive/ArchiveWriter"
import { results } from "@matchpoint/cs2/feed/import/results/results"
import { teamPages } from "@matchpoint/cs2/feed/import/teamPages/teamPages"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import type { ImportSource } from "@matchpoint/game/feed/import/ImportSource"
import { Migrations } from "@matchpoint/games/Migrations"
import { findFiles } from "@matchpoint/service-feed/import/findFiles"
import { type ImportOptions, importSource } from "@matchpoint/service-feed/import/Importer"
import type { ImportEvent } from "@matchpoint/service-feed/import/Progress"
import { Imports } from "@matchpoint/store/Imports"
import { embeddedMemory, postgresDatabase } from "@matchpoint/testing/databases"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { describe, inject, it } from "vitest"
import { result } from "./resultFile.ts"

const services = (driver: typeof embeddedMemory) =>
  Layer.mergeAll(ArchiveWriter.layer, Imports.layer, NodeServices.layer).pipe(Layer.provide(Migrations.layer), Layer.provideMerge(driver))

const run = Effect.fnUntraced(function* <R>(source: ImportSource<R>, path: string, options: ImportOptions = {}) {
  const rejected: Array<ImportEvent> = []
  const onEvent = (event: ImportEvent) =>
    Effect.sync(() => void (event.type === "Rejected" || event.type === "FileRefused" ? rejected.push(event) : undefined))
  return { summary: yield* importSource(CS2, source, yield* findFiles(source, path), onEvent, options), rejected }
})

const tables = [
  "cs2_teams",
  "cs2_players",
  "cs2_events",
  "cs2_event_teams",
  "cs2_series",
  "cs2_lineups",
  "cs2_games",
  "cs2_player_games",
  "cs2_source_keys",
  "cs2_search",
  "cs2_changelog",
]

/** All rows of the archive as text. If `times` is false, without the times of writing. */
const everything = (times: boolean) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows: Record<string, ReadonlyArray<unknown>> = {}
    for (const table of tables) {
      const written = times ? sql.literal("") : sql.literal(" - 'last_synced_at' - 'last_verified' - 'created_at' - 'status_updated_at'")
      const found = yield* sql<{ text: string }>`
        SELECT (to_jsonb(t) ${written})::text AS text FROM ${sql(table)} t ORDER BY 1`
      rows[table] = found.map(({ text }) => text)
    }
    return rows
  })

const folderWith = (files: Readonly<Record<string, unknown>>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = await mkdtemp(join(tmpdir(), "matchpoint-import-"))
      for (const [name, content] of Object.entries(files)) {
        await mkdir(join(folder, name, ".."), { recursive: true })
        await writeFile(join(folder, name), JSON.stringify(content))
      }
      return folder
    }),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true })),
  )

const matches = Array.from({ length: 210 }, (_, index) => result(index))

/** Time limit for busy machines, in milliseconds. */
const LONG_MS = 90_000

type Driver = typeof embeddedMemory

const suite = (name: string, driver: Driver) =>
  describe(name, () => {
    effectIt.effect(
      "imports all results; a second import changes nothing",
      () =>
        Effect.gen(function* () {
          const folder = yield* folderWith({ "results-a.json": [...matches, { "match-id": "none" }] })
          const first = yield* run(results, folder)
          assert.deepStrictEqual(first.summary.tally, { created: 210, updated: 0, unchanged: 0 })
          assert.strictEqual(first.rejected.length, 1)
          const before = yield* everything(true)
          assert.strictEqual(before.cs2_series?.length, 210)
          assert.strictEqual(before.cs2_player_games?.length, 2100)
          const again = yield* run(results, folder, { again: true })
          assert.deepStrictEqual(again.summary.tally, { created: 0, updated: 0, unchanged: 210 })
          assert.deepStrictEqual(yield* everything(true), before)
        }).pipe(Effect.provide(Layer.fresh(services(driver)))),
      LONG_MS,
    )

    effectIt.effect(
      "gives the same rows if interrupted and continued as in one run",
      () =>
        Effect.gen(function* () {
          const folder = yield* folderWith({ "results-a.json": matches })
          const files = yield* findFiles(results, folder)
          const inParts = yield* Effect.gen(function* () {
            const stopped = yield* Effect.exit(
              importSource(CS2, results, files, (event) => (event.type === "BatchDone" ? Effect.interrupt : Effect.void)),
            )
            assert.isTrue(Exit.hasInterrupts(stopped))
            assert.strictEqual((yield* everything(false)).cs2_series?.length, 100)
            const rest = yield* run(results, folder)
            assert.strictEqual(rest.summary.records, 110)
            return yield* everything(false)
          }).pipe(Effect.provide(Layer.fresh(services(driver))))
          const atOnce = yield* Effect.andThen(run(results, folder), everything(false)).pipe(Effect.provide(Layer.fresh(services(driver))))
          assert.deepStrictEqual(inParts, atOnce)
        }).pipe(Effect.provide(NodeServices.layer)),
      LONG_MS,
    )
  })

suite("Embedded", embeddedMemory)

const databaseUrl = inject("databaseUrl")
const dataDirectory = inject("dataDirectory")
if (databaseUrl === null) {
  describe("Postgres", () =>
    it.skip("needs a PostgreSQL server: set DATABASE_URL to a database whose user may create databases", () => undefined))
} else {
  const postgres = postgresDatabase(databaseUrl)
  suite("Postgres", postgres)

  describe("recorded results and team pages", () => {
    if (dataDirectory === null) it.skip("need the folder of recorded data: set MATCHPOINT_DATA", () => undefined)
    else {
      effectIt.effect(
        "form one archive, which a second import leaves unchanged",
        () =>
          Effect.gen(function* () {
            const folder = join(dataDirectory, "cs2", "hltv")
            const imported = yield* run(results, folder)
            assert.deepStrictEqual([imported.summary.records, imported.summary.rejected, imported.summary.tally.created], [251, 0, 251])
            const pages = yield* run(teamPages, folder)
            // Rejected: maps of matches that two teams played twice on one day, or of which one map is missing.
            assert.deepStrictEqual([pages.summary.records, pages.summary.rejected], [1859, 61])
            const before = yield* everything(true)
            // 251 results and 1,747 matches of team pages; 94 are in both.
            assert.strictEqual(before.cs2_series?.length, 1904)
            assert.strictEqual(before.cs2_player_games?.length, 5800)
            yield* run(results, folder, { again: true })
            yield* run(teamPages, folder, { again: true })
            assert.deepStrictEqual(yield* everything(true), before)
          }).pipe(Effect.provide(Layer.fresh(services(postgres)))),
        3 * LONG_MS,
      )
    }
  })
}
