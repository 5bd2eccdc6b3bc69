/** Tests that a second import leaves every row of every table of the archive unchanged, on every database. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer, type Vitest } from "@effect/vitest"
import { ArchiveWriter } from "@matchpoint/cs2/archive/ArchiveWriter"
import { RankingWriter } from "@matchpoint/cs2/archive/rankings/RankingWriter"
import { RosterDerivation } from "@matchpoint/cs2/archive/rosters/RosterDerivation"
import { results } from "@matchpoint/cs2/feed/import/results/results"
import { standings } from "@matchpoint/cs2/feed/import/standings/standings"
import { teamPages } from "@matchpoint/cs2/feed/import/teamPages/teamPages"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import { Migrations } from "@matchpoint/games/Migrations"
import { findFiles } from "@matchpoint/service-feed/import/findFiles"
import { importSource } from "@matchpoint/service-feed/import/Importer"
import { Imports } from "@matchpoint/store/Imports"
import { embeddedMemory, postgresDatabase } from "@matchpoint/testing/databases"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { sourceFiles } from "./sourceFiles.ts"

const folder = Effect.acquireRelease(
  Effect.promise(async () => {
    const path = await mkdtemp(join(tmpdir(), "matchpoint-twice-"))
    for (const [name, content] of Object.entries(sourceFiles)) {
      await mkdir(join(path, name, ".."), { recursive: true })
      await writeFile(join(path, name), typeof content === "string" ? content : JSON.stringify(content))
    }
    return path
  }),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true })),
)

const tablesOf = (sql: SqlClient.SqlClient) => sql<{ name: string }>`
  SELECT table_name AS name FROM information_schema.tables
  WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND (table_name LIKE 'cs2\\_%' OR table_name = 'imports')
  ORDER BY 1`

const emptied = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* tablesOf(sql)
  yield* sql`TRUNCATE ${sql.literal(tables.map(({ name }) => name).join(", "))}`
})

/** Every row as text, by table. Without the times at which `imports` records the reading of a file. */
const archive = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* tablesOf(sql)
  const rows: Record<string, ReadonlyArray<string>> = {}
  for (const { name } of tables) {
    const seen = name === "imports" ? sql.literal(" - 'started_at' - 'finished_at' - 'written'") : sql.literal("")
    const found = yield* sql<{ text: string }>`SELECT (to_jsonb(t) ${seen})::text AS text FROM ${sql(name)} t ORDER BY 1`
    rows[name] = found.map(({ text }) => text)
  }
  return rows
})

const byName = { standings, results, teamPages } as const

/** Orders of the sources: the order of the command that imports all, and another that a user may choose. */
const orders: ReadonlyArray<ReadonlyArray<keyof typeof byName>> = [
  ["standings", "results", "teamPages"],
  ["results", "teamPages", "standings"],
]

const suite = (
  it: Vitest.MethodsNonLive<
    ArchiveWriter | Imports | RankingWriter | RosterDerivation | SqlClient.SqlClient | Layer.Success<typeof NodeServices.layer>
  >,
) => {
  it.effect.each(orders)("changes nothing on a second import: %s", (order) =>
    Effect.gen(function* () {
      yield* emptied
      const path = yield* folder
      const run = Effect.gen(function* () {
        const tallies: Record<string, unknown> = {}
        for (const name of order) {
          const source = byName[name]
          const { rejected, tally } = yield* importSource(CS2, source, yield* findFiles(source, path), () => Effect.void, { again: true })
          tallies[name] = { created: tally.created, updated: tally.updated, rejected }
        }
        const rankings = yield* RankingWriter
        yield* (yield* RosterDerivation).rebuild()
        yield* rankings.placeRegions
        yield* rankings.rebuildWorld
        return { tallies, archive: yield* archive }
      })
      const first = yield* run
      assert.isAbove(first.archive.cs2_series?.length ?? 0, 15)
      assert.isAbove(first.archive.cs2_rankings?.length ?? 0, 5)

      const nothing = { created: 0, updated: 0, rejected: 0 }
      const second = yield* run
      assert.deepStrictEqual(second.tallies, { standings: nothing, results: nothing, teamPages: nothing })
      assert.deepStrictEqual(second.archive, first.archive)
    }),
  )
}

const imported = (driver: typeof embeddedMemory) =>
  Layer.mergeAll(ArchiveWriter.layer, Imports.layer, RankingWriter.layer, RosterDerivation.layer).pipe(
    Layer.provide(Migrations.layer),
    Layer.provideMerge(driver),
    Layer.merge(NodeServices.layer),
  )

layer(imported(embeddedMemory), { timeout: "120 seconds" })("Embedded", suite)
const databaseUrl = inject("databaseUrl")
if (databaseUrl !== null) layer(imported(postgresDatabase(databaseUrl)), { timeout: "120 seconds" })("Postgres", suite)
