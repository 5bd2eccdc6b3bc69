/**
 * Tests the simulated Apex season of a fresh server in a real database: it is written once, completely, and never among
 * real series.
 */
import { assert, it } from "@effect/vitest"
import { ApexArchiveWriter } from "@matchpoint/apex/archive/ApexArchiveWriter"
import { SimulatedSeries } from "@matchpoint/apex/archive/SimulatedSeries"
import { ApexSummaries } from "@matchpoint/apex/archive/summaries/ApexSummaries"
import { seriesSample } from "@matchpoint/apex/sample/seriesSample"
import { fillArchive } from "@matchpoint/game/sample/SampleArchives"
import { Migrations } from "@matchpoint/games/Migrations"
import { Imports } from "@matchpoint/store/Imports"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

const stores = Layer.mergeAll(Imports.layer, SimulatedSeries.layer, ApexArchiveWriter.layer, ApexSummaries.layer).pipe(
  Layer.provide(Migrations.layer),
  Layer.provideMerge(embeddedMemory),
)

const counts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    SELECT (SELECT count(*)::integer FROM apex_series) AS series, (SELECT count(*)::integer FROM apex_players) AS players,
      (SELECT count(*)::integer FROM apex_transactions) AS transactions, (SELECT count(*)::integer FROM apex_tournaments) AS tournaments`
  return rows[0]
})

it.live(
  "fills an empty archive once, marks every row as simulated, and removes the season for real series",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* fillArchive(seriesSample)
      const filled = yield* counts
      assert.deepStrictEqual(filled, { series: 31, players: 244, transactions: 44, tournaments: 13 })
      yield* fillArchive(seriesSample)
      assert.deepStrictEqual(yield* counts, filled)
      const exceptions = yield* sql`
        SELECT series_id FROM apex_series
        WHERE source <> 'simulator' OR content->>'tournamentName' NOT LIKE '% (simulated)' OR json_array_length(scores->'exceptions') > 0`
      assert.deepStrictEqual(exceptions, [])
      yield* (yield* SimulatedSeries).remove
      assert.deepStrictEqual(yield* counts, { series: 0, players: 0, transactions: 0, tournaments: 0 })
    }).pipe(Effect.provide(stores)),
  60_000,
)
