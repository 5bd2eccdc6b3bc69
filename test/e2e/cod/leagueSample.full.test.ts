/**
 * Tests the simulated seasons of a fresh server in a real database: they are written once, completely, and never among
 * real matches.
 */
import { assert, it } from "@effect/vitest"
import { CodArchiveWriter } from "@matchpoint/cod/archive/CodArchiveWriter"
import { SimulatedSeasons } from "@matchpoint/cod/archive/SimulatedSeasons"
import { COD } from "@matchpoint/cod/rules/game"
import { leagueSample } from "@matchpoint/cod/sample/leagueSample"
import { fillArchive } from "@matchpoint/game/sample/SampleArchives"
import { Migrations } from "@matchpoint/games/Migrations"
import { Imports } from "@matchpoint/store/Imports"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { codMatch } from "../../../packages/cod/test/archive/fixtures/codMatches.ts"
import { codStores } from "../../fixtures/cod/writeSimulatedSeasons.ts"

const stores = codStores.pipe(Layer.provide(Migrations.layer), Layer.provideMerge(embeddedMemory))

const counts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    SELECT (SELECT count(*)::integer FROM cod_players) AS players, (SELECT count(*)::integer FROM cod_matches) AS matches,
      (SELECT count(*)::integer FROM cod_player_lines) AS lines, (SELECT count(*)::integer FROM cod_standings) AS standings`
  return rows[0] as { readonly players: number; readonly matches: number; readonly lines: number; readonly standings: number }
})

const writeRealMatch = Effect.flatMap(CodArchiveWriter, ({ write }) =>
  write({ matches: [codMatch({ matchId: "1", simulated: false, source: "codstats" })] }),
)

it.live(
  "fills an empty archive once, and continues an interrupted run with its original day",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const imports = (yield* Imports).of(COD)
      yield* imports.begin({ source: "simulator", file: "league", fingerprint: "2025-06-05" })
      yield* fillArchive(leagueSample)
      const filled = yield* counts
      assert.strictEqual(filled.players, 48)
      assert.isAbove(filled.matches, 300)
      assert.isAbove(filled.standings, 2 * 12)
      yield* fillArchive(leagueSample)
      assert.deepStrictEqual(yield* counts, filled)
      yield* sql`UPDATE imports SET finished_at = NULL WHERE source = 'simulator'`
      yield* sql`DELETE FROM cod_matches WHERE starts_at > '2025-01-01'`
      yield* fillArchive(leagueSample)
      assert.deepStrictEqual(yield* counts, filled)
      assert.deepStrictEqual(
        yield* sql`SELECT to_char(max(starts_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS last FROM cod_matches WHERE status = 'completed'`,
        [{ last: "2025-06-01" }],
      )
      assert.isTrue(Option.getOrUndefined(yield* imports.find("simulator", "league"))?.finished)
    }).pipe(Effect.provide(stores)),
  60_000,
)

it.live(
  "removes the seasons once there is a real match, and never writes them again",
  () =>
    Effect.gen(function* () {
      const { remove } = yield* SimulatedSeasons
      yield* fillArchive(leagueSample)
      yield* remove
      assert.isAbove((yield* counts).matches, 300)
      yield* writeRealMatch
      yield* remove
      const { lines, matches, players } = yield* counts
      assert.deepStrictEqual([players, matches, lines], [0, 1, 8])
      yield* fillArchive(leagueSample)
      assert.strictEqual((yield* counts).matches, 1)
    }).pipe(Effect.provide(stores)),
  60_000,
)

it.live(
  "leaves an archive alone that has a match",
  () =>
    Effect.gen(function* () {
      yield* writeRealMatch
      yield* fillArchive(leagueSample)
      assert.strictEqual((yield* counts).matches, 1)
      assert.isTrue(Option.isNone(yield* (yield* Imports).of(COD).find("simulator", "league")))
    }).pipe(Effect.provide(stores)),
  60_000,
)
