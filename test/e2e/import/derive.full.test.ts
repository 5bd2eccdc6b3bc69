/**
 * Tests the derivations after an import. They run once for all sources, catch up after an early end, and change nothing
 * when repeated.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer, type Vitest } from "@effect/vitest"
import { StatsRefresh } from "@matchpoint/cs2/archive/stats/StatsRefresh"
import { cs2Imports } from "@matchpoint/cs2/feed/import/cs2Imports"
import { results } from "@matchpoint/cs2/feed/import/results/results"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { deriveAll } from "@matchpoint/service-feed/import/derive"
import { findFiles } from "@matchpoint/service-feed/import/findFiles"
import { importSource } from "@matchpoint/service-feed/import/Importer"
import { refreshPlannerStatistics } from "@matchpoint/service-feed/import/knownGrowth"
import type { ImportEvent } from "@matchpoint/service-feed/import/Progress"
import { embeddedMemory, postgresDatabase } from "@matchpoint/testing/databases"
import { Effect, type FileSystem, Layer, type Path } from "effect"
import { SqlClient } from "effect/sql"
import { describe, inject, it } from "vitest"
import { result } from "./resultFile.ts"

const services = (driver: typeof embeddedMemory) =>
  Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provideMerge(driver), Layer.merge(NodeServices.layer))

type Services = Layer.Success<typeof Repositories.layer> | SqlClient.SqlClient | FileSystem.FileSystem | Path.Path

const steps = [
  "table maintenance",
  "rosters, roster changes and transfers",
  "slugs of teams and players",
  "regions of teams",
  "world ranking",
  "statistics",
  "table maintenance after the derivations",
]

/** Derived rows, without the times of derivation. */
const derivedRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const spells = yield* sql`SELECT to_jsonb(s) AS row FROM cs2_roster_spells s ORDER BY 1`
  const places = yield* sql`SELECT to_jsonb(r) AS row, r.xmin::text AS written FROM cs2_rankings r WHERE ranking = 'world' ORDER BY 1`
  return { spells, places }
})

const suite = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("runs at the end for everything imported, catches up after an interruption, and repeats nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const path = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-derive-"))),
        (created) => Effect.promise(() => rm(created, { recursive: true, force: true })),
      )
      const put = (name: string, from: number, to: number) =>
        Effect.promise(() =>
          writeFile(join(path, name), JSON.stringify(Array.from({ length: to - from }, (_, index) => result(from + index)))),
        )
      const sampled = sql<{ rows: number }>`SELECT reltuples::float8 AS rows FROM pg_class WHERE relname = 'cs2_series'`

      /** Imports and derives as the command does. `until` names the step at which to interrupt. */
      const run = Effect.fnUntraced(function* (options: { readonly again?: boolean; readonly until?: string } = {}) {
        const growth = yield* refreshPlannerStatistics(cs2Imports.analyze)
        const made: Array<string> = []
        const onEvent = (event: ImportEvent) => {
          if (event.type !== "Deriving") return growth(event)
          made.push(event.what)
          return event.what === options.until ? Effect.interrupt : Effect.void
        }
        yield* importSource(CS2, results, yield* findFiles(results, path), onEvent, options)
        const sampledRows = (yield* sampled)[0]?.rows
        const derive = deriveAll(cs2Imports, onEvent, options.again === true)
        yield* options.until === undefined ? derive : Effect.exit(derive)
        return { made, sampledRows }
      })

      yield* put("results-a.json", 0, 520)
      const early = yield* run({ until: "world ranking" })
      assert.deepStrictEqual(early.made, steps.slice(0, 5))
      // The import itself refreshes the planner's statistics before anything is derived.
      assert.isAtLeast(early.sampledRows ?? 0, 500)
      assert.strictEqual((yield* derivedRows).places.length, 0)

      // Nothing is imported again; the missing derivations run.
      assert.deepStrictEqual((yield* run()).made, steps)
      const first = yield* derivedRows
      assert.isAbove(first.spells.length, 90)
      assert.isAbove(first.places.length, 100)
      assert.isNotNull((yield* (yield* StatsRefresh).state).refreshedAt)
      assert.deepStrictEqual((yield* run()).made, [])

      // A repeated derivation writes nothing, not even rows that stay the same.
      assert.deepStrictEqual((yield* run({ again: true })).made, steps)
      assert.deepStrictEqual(yield* derivedRows, first)

      yield* put("results-b.json", 520, 560)
      assert.deepStrictEqual((yield* run()).made, steps)
      assert.notDeepEqual((yield* derivedRows).places, first.places)
    }),
  )
}

layer(services(embeddedMemory), { timeout: "120 seconds" })("Embedded", suite)

const databaseUrl = inject("databaseUrl")
if (databaseUrl === null) {
  describe("Postgres", () =>
    it.skip("needs a PostgreSQL server: set DATABASE_URL to a database whose user may create databases", () => undefined))
} else {
  layer(services(postgresDatabase(databaseUrl)), { timeout: "120 seconds" })("Postgres", suite)
}
