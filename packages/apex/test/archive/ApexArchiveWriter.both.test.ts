/** Tests writing of the Apex archive on both databases. */
import { assert, layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { Imports } from "@matchpoint/store/Imports"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ApexArchiveWriter } from "../../src/archive/ApexArchiveWriter.ts"
import { SimulatedSeries } from "../../src/archive/SimulatedSeries.ts"
import { SIMULATED } from "../../src/rules/archive/simulated.ts"
import { APEX } from "../../src/rules/game.ts"
import { apexLobby } from "./fixtures/apexLobby.ts"

const services = Layer.mergeAll(ApexArchiveWriter.layer, SimulatedSeries.layer, Imports.layer)

onDatabaseOfRun((name, database) => {
  layer(services.pipe(Layer.provideMerge(Migrations.layer), Layer.provideMerge(database)), { timeout: 60_000 })(name, (it) => {
    it.effect("writes a series once, and only changes again", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const writer = yield* ApexArchiveWriter
        const lobby = apexLobby()
        assert.deepStrictEqual(yield* writer.writeSeries([lobby]), { created: 1, updated: 0, unchanged: 0 })
        assert.deepStrictEqual(yield* writer.writeSeries([lobby]), { created: 0, updated: 0, unchanged: 1 })
        const shorter = { ...lobby, games: lobby.games.slice(0, 1) }
        assert.deepStrictEqual(yield* writer.writeSeries([shorter]), { created: 0, updated: 1, unchanged: 0 })
        assert.lengthOf(yield* sql`SELECT 1 FROM apex_games`, 1)
        const [row] = yield* sql<{ scores: { standings: ReadonlyArray<{ teamName: string; rank: number; points: number; hms: number }> } }>`
          SELECT scores FROM apex_series`
        assert.deepInclude(row?.scores.standings[0], { teamName: "Ash Wolves", rank: 1, points: 17, hms: 17 })
      }),
    )

    it.effect("removes a simulated season and nothing else", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const writer = yield* ApexArchiveWriter
        const imports = (yield* Imports).of(APEX)
        const simulated = { source: "simulator", tournamentId: "simulated", seriesId: "simulated-1" } as const
        yield* imports.begin({ source: SIMULATED, file: "season", fingerprint: "2026-03-01" })
        yield* writer.writeSeries([apexLobby(), apexLobby(simulated)])
        const season = yield* SimulatedSeries
        assert.isFalse(yield* season.isArchiveEmpty)
        yield* season.remove
        assert.deepStrictEqual(yield* sql`SELECT series_id FROM apex_series`, [{ series_id: "spring-2026-day-1" }])
        assert.deepStrictEqual(yield* sql`SELECT tournament_id FROM apex_tournaments`, [{ tournament_id: "spring-2026" }])
      }),
    )
  })
})
