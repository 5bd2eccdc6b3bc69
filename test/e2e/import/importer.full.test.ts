/**
 * Tests the import of files: finished files are skipped, interrupted files continue, bad records are reported and left
 * out. Runs on every database.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer, type Vitest } from "@effect/vitest"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import { Migrations } from "@matchpoint/games/Migrations"
import { findFiles } from "@matchpoint/service-feed/import/findFiles"
import { type ImportOptions, importSource } from "@matchpoint/service-feed/import/Importer"
import type { ImportEvent } from "@matchpoint/service-feed/import/Progress"
import { Imports } from "@matchpoint/store/Imports"
import { embeddedMemory, postgresDatabase } from "@matchpoint/testing/databases"
import { Effect, Exit, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { describe, inject, it } from "vitest"
import { countedSource, numbersTable, type Watch } from "./countedSource.ts"

const services = (driver: typeof embeddedMemory) =>
  Imports.layer.pipe(
    Layer.merge(Layer.effectDiscard(numbersTable)),
    Layer.provide(Migrations.layer),
    Layer.provideMerge(driver),
    Layer.merge(NodeServices.layer),
  )

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-import-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true })),
)

const put = (path: string, name: string, lines: ReadonlyArray<string | number>) =>
  Effect.promise(() => writeFile(join(path, name), lines.join("\n")))

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

/** Prepares an empty folder and empty tables. Returns a function that imports and reports the events and rejections. */
const setUp = Effect.gen(function* () {
  const path = yield* folder
  const sql = yield* SqlClient.SqlClient
  yield* sql`TRUNCATE numbers, imports`
  const watch: Watch = { writeRequests: [], dieAt: undefined }
  const source = countedSource(watch)
  const run = Effect.fnUntraced(function* (options: ImportOptions = {}) {
    const importEvents: Array<ImportEvent> = []
    watch.writeRequests.length = 0
    const files = yield* findFiles(source, path)
    const exit = yield* Effect.exit(importSource(CS2, source, files, (event) => Effect.sync(() => importEvents.push(event)), options))
    return { exit, importEvents, rejections: importEvents.filter((event) => event.type === "Rejected").map(({ rejection }) => rejection) }
  })
  const written = Effect.map(sql<{ number: number }>`SELECT number FROM numbers ORDER BY number`, (rows) =>
    rows.map(({ number }) => number),
  )
  const progress = sql<{ file: string; done: string; finished: boolean }>`
    SELECT file, done, finished_at IS NOT NULL AS finished FROM imports WHERE file LIKE '%.txt' ORDER BY file`
  return { path, watch, run, written, progress }
})

const summaryOf = (importEvents: ReadonlyArray<ImportEvent>) => importEvents.findLast((event) => event.type === "SourceDone")?.summary

const suite = (it: Vitest.MethodsNonLive<Imports | SqlClient.SqlClient | Layer.Success<typeof NodeServices.layer>>) => {
  it.effect("imports a whole file once", () =>
    Effect.gen(function* () {
      const { path, progress, run, watch, written } = yield* setUp
      yield* put(path, "a.txt", upTo(25))
      const first = yield* run()
      assert.deepStrictEqual(yield* written, upTo(25))
      assert.deepStrictEqual(summaryOf(first.importEvents)?.tally, { created: 25, updated: 0, unchanged: 0 })
      assert.strictEqual(summaryOf(first.importEvents)?.records, 25)
      assert.deepStrictEqual(
        (yield* progress).map(({ done, finished }) => [Number(done), finished]),
        [[25, true]],
      )

      const second = yield* run()
      assert.deepStrictEqual(watch.writeRequests, [])
      assert.deepStrictEqual(summaryOf(second.importEvents)?.files, { done: 0, skipped: 1, refused: 0 })

      const again = yield* run({ again: true })
      assert.deepStrictEqual(summaryOf(again.importEvents)?.tally, { created: 0, updated: 0, unchanged: 25 })
    }),
  )

  it.effect("continues an interrupted import after its last batch", () =>
    Effect.gen(function* () {
      const { path, progress, run, watch, written } = yield* setUp
      yield* put(path, "a.txt", upTo(25))
      watch.dieAt = 17
      const first = yield* run()
      assert.isTrue(Exit.hasInterrupts(first.exit))
      assert.deepStrictEqual(yield* written, upTo(10))
      assert.deepStrictEqual(
        (yield* progress).map(({ done, finished }) => [Number(done), finished]),
        [[10, false]],
      )

      watch.dieAt = undefined
      const second = yield* run()
      assert.strictEqual(watch.writeRequests[0], 11)
      assert.deepStrictEqual(yield* written, upTo(25))
      assert.deepStrictEqual(
        second.importEvents.filter((event) => event.type === "FileBegun").map(({ from }) => from),
        [10],
      )
    }),
  )

  it.effect("imports a changed file from its beginning", () =>
    Effect.gen(function* () {
      const { path, run, watch, written } = yield* setUp
      yield* put(path, "a.txt", upTo(25))
      watch.dieAt = 17
      yield* run()
      watch.dieAt = undefined
      yield* put(path, "a.txt", [30, 31])
      yield* run()
      assert.deepStrictEqual(watch.writeRequests, [30, 31])
      assert.deepStrictEqual(yield* written, [...upTo(10), 30, 31])
    }),
  )

  it.effect("reports bad records with their position and imports all others", () =>
    Effect.gen(function* () {
      const { path, progress, run, written } = yield* setUp
      yield* put(path, "a.txt", [1, 2, "three", 4, 5000, 6, 7, 8, 9, 10, 11])
      const { importEvents, rejections } = yield* run()
      assert.deepStrictEqual(yield* written, [1, 2, 4, 6, 7, 8, 9, 10, 11])
      assert.deepStrictEqual(
        rejections.map(({ number, record }) => [number, record]),
        [
          [3, "three"],
          [5, 5000],
        ],
      )
      const summary = summaryOf(importEvents)
      assert.deepStrictEqual([summary?.records, summary?.rejected, summary?.tally.created], [11, 2, 9])
      assert.deepStrictEqual(
        (yield* progress).map(({ done, finished }) => [Number(done), finished]),
        [[11, true]],
      )
    }),
  )

  it.effect("reports an unreadable file, keeps the records read from it, and imports the other files", () =>
    Effect.gen(function* () {
      const { path, run, written } = yield* setUp
      yield* put(path, "a.txt", [...upTo(12), "stop", 13])
      yield* put(path, "b.txt", [20])
      yield* put(path, "c.txt.gz", [])
      const { importEvents } = yield* run()
      assert.deepStrictEqual(
        importEvents.filter((event) => event.type === "FileRefused").map(({ file, reason }) => [file, reason]),
        [["a.txt", "stop"]],
      )
      assert.deepStrictEqual(yield* written, [...upTo(12), 20])
      assert.deepStrictEqual(summaryOf(importEvents)?.files, { done: 1, skipped: 0, refused: 1 })
    }),
  )

  it.effect("keeps written records pending until they are derived; an import without changes adds none", () =>
    Effect.gen(function* () {
      const { path, run, watch } = yield* setUp
      const { derived, underived } = (yield* Imports).of(CS2)
      assert.isTrue(Option.isNone(yield* underived))
      yield* put(path, "a.txt", upTo(20))
      watch.dieAt = 15
      yield* run()
      // The first batch is committed whatever happens to the rest of the file.
      const first = yield* underived
      assert.deepStrictEqual(first, Option.some({ written: 10 }))
      watch.dieAt = undefined
      yield* run()
      // More records have been written meanwhile, so marking the earlier ones as derived does not clear all.
      yield* derived(Option.getOrThrow(first))
      const second = yield* underived
      assert.deepStrictEqual(second, Option.some({ written: 20 }))
      yield* derived(Option.getOrThrow(second))
      assert.isTrue(Option.isNone(yield* underived))
      yield* run({ again: true })
      assert.isTrue(Option.isNone(yield* underived))
    }),
  )
}

layer(services(embeddedMemory), { timeout: "60 seconds" })("Embedded", suite)

const databaseUrl = inject("databaseUrl")
if (databaseUrl === null) {
  describe("Postgres", () =>
    it.skip("needs a PostgreSQL server: set DATABASE_URL to a database whose user may create databases", () => undefined))
} else {
  layer(services(postgresDatabase(databaseUrl)), { timeout: "60 seconds" })("Postgres", suite)
}
