/**
 * Imports the recorded lobbies, and compares the stored scores with numbers that the test computes itself from the
 * files. Every exception is listed with its reason. Needs the recorded data.
 */
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { ApexArchiveWriter } from "@matchpoint/apex/archive/ApexArchiveWriter"
import { SimulatedSeries } from "@matchpoint/apex/archive/SimulatedSeries"
import { ApexSummaries } from "@matchpoint/apex/archive/summaries/ApexSummaries"
import type { ApexScores } from "@matchpoint/apex/contract/http/data/seriesModels"
import { Migrations } from "@matchpoint/games/Migrations"
import { Imports } from "@matchpoint/store/Imports"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { describe, inject } from "vitest"
import { importApex } from "../../fixtures/apex/importApex.ts"
import { recordedExceptions } from "./recordedExceptions.ts"
import { hasOwnPlacements, recordedLobbies, sumOf, wrongPoints, wrongRanks } from "./recordedLobbies.ts"

const dataDirectory = inject("dataDirectory")
const root = join(dataDirectory ?? "", "algs")

const services = Layer.mergeAll(ApexArchiveWriter.layer, ApexSummaries.layer, SimulatedSeries.layer, Imports.layer).pipe(
  Layer.provideMerge(Migrations.layer),
  Layer.provideMerge(embeddedMemory),
  Layer.merge(NodeServices.layer),
)

describe.skipIf(dataDirectory === null)("recorded Apex lobbies (need the recorded data)", () => {
  layer(services, { timeout: "60 seconds" })("imported", (it) => {
    it.effect("are all stored, and a second import changes nothing", () =>
      Effect.gen(function* () {
        const { rejected, tallies } = yield* importApex(root)
        assert.deepStrictEqual(rejected, [])
        const none = { created: 0, updated: 0, unchanged: 0 }
        assert.deepInclude(tallies, { lobbies: { ...none, created: 37 }, tournaments: { ...none, created: 3 } })
        const again = yield* importApex(root)
        for (const tally of Object.values(again.tallies)) assert.deepStrictEqual(tally, none)
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`SELECT series_id, copy_of FROM apex_series WHERE copy_of IS NOT NULL`, [
          { series_id: "year-5-open-day1-a", copy_of: "ewc-2025-day1-a" },
        ])
      }),
    )

    it.effect("have the points, kills and ranks of their files", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ id: string; scores: ApexScores }>`SELECT series_id AS id, scores FROM apex_series`
        const stored = new Map(rows.map(({ id, scores }) => [id, scores]))
        const lobbies = recordedLobbies(root)
        assert.lengthOf(lobbies, 37)
        for (const lobby of lobbies) {
          const scores = stored.get(lobby.seriesId)
          assert.isDefined(scores, lobby.name)
          const isKnown = hasOwnPlacements(lobby)
          assert.strictEqual(isKnown, !lobby.name.startsWith("year4champions"), lobby.name)
          assert.strictEqual(scores.standings.length, lobby.ranks.size)
          for (const { games, hms, kills, points, rank, teamName } of scores.standings) {
            const results = lobby.results.get(teamName) ?? []
            assert.strictEqual(rank, lobby.ranks.get(teamName))
            assert.strictEqual(points, lobby.totals.get(teamName) ?? sumOf(lobby, teamName))
            assert.strictEqual(hms, Math.max(...results.map((result) => result.points)))
            assert.strictEqual(kills, isKnown ? results.reduce((sum, result) => sum + result.kills, 0) : null)
            assert.deepStrictEqual(
              games.map(({ gameNumber, placement, points: gamePoints }) => [gameNumber, placement, gamePoints]),
              results.map(({ game, placement, points: gamePoints }) => [game, isKnown ? placement : null, gamePoints]),
            )
          }
        }
      }),
    )

    it.effect("follow the table of points without exception where placements are recorded", () =>
      Effect.sync(() => {
        for (const lobby of recordedLobbies(root)) if (hasOwnPlacements(lobby)) assert.strictEqual(wrongPoints(lobby), 0, lobby.name)
      }),
    )

    it.effect("follow the order of teams with the listed exceptions, which the scores report", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ id: string; scores: ApexScores }>`SELECT series_id AS id, scores FROM apex_series`
        const found: Record<string, ReadonlyArray<string>> = {}
        for (const lobby of recordedLobbies(root)) {
          const wrong = wrongRanks(lobby)
          const reported = rows
            .find(({ id }) => id === lobby.seriesId)
            ?.scores.exceptions.flatMap(({ code, computed, stated, teamName }) =>
              code === "rank_differs" ? [`${teamName} ${stated} instead of ${computed}`] : [],
            )
          assert.deepStrictEqual(reported?.toSorted(), wrong, lobby.name)
          if (wrong.length > 0) found[lobby.name] = wrong
        }
        assert.deepStrictEqual(found, Object.fromEntries(Object.entries(recordedExceptions).map(([name, { ranks }]) => [name, ranks])))
      }),
    )
  })
})
