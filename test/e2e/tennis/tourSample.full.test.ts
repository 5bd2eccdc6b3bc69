/**
 * Tests the simulated tennis tours of a fresh server in a real database: they are written once, completely, and never
 * among real matches.
 */
import { assert, it } from "@effect/vitest"
import { fillArchive } from "@matchpoint/game/sample/SampleArchives"
import { Migrations } from "@matchpoint/games/Migrations"
import { Imports } from "@matchpoint/store/Imports"
import { SimulatedTours } from "@matchpoint/tennis/archive/SimulatedTours"
import { TennisSummaries } from "@matchpoint/tennis/archive/summaries/TennisSummaries"
import { TennisArchiveWriter } from "@matchpoint/tennis/archive/TennisArchiveWriter"
import { FIRST_SIMULATED_PLAYER } from "@matchpoint/tennis/rules/archive/simulated"
import { TENNIS } from "@matchpoint/tennis/rules/game"
import { tourSample } from "@matchpoint/tennis/sample/tourSample"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"

const stores = Layer.mergeAll(Imports.layer, SimulatedTours.layer, TennisArchiveWriter.layer, TennisSummaries.layer).pipe(
  Layer.provide(Migrations.layer),
  Layer.provideMerge(embeddedMemory),
)

const counts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    SELECT (SELECT count(*)::integer FROM tennis_players) AS players,
      (SELECT count(*)::integer FROM tennis_matches) AS matches,
      (SELECT count(*)::integer FROM tennis_rankings) AS rankings`
  return rows[0] as { readonly players: number; readonly matches: number; readonly rankings: number }
})

const insertRealMatch = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    INSERT INTO tennis_matches (match_id, tour, circuit, match_date, date_is_tournament_start, score, ending, winner_games, loser_games,
      tiebreak_points, tournament_id, round, winner_id, loser_id)
    VALUES ('atp-tour-2024-1-1', 'atp', 'tour', '2024-01-01', false, '6-1 6-1', 'completed', '{6,6}', '{1,1}', '{null,null}', '2024-1',
      'F', 'atp_1', 'atp_2')`,
)

const insertDoubles = (matchId: string, firstPlayer: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const [one, two, three, four] = [0, 1, 2, 3].map((place) => `atp_${firstPlayer + place}`)
    return sql`
      INSERT INTO tennis_doubles_matches (match_id, tour, circuit, match_date, date_is_tournament_start, score, ending, winner_games,
        loser_games, tiebreak_points, tournament_id, round, winner1_id, winner2_id, loser1_id, loser2_id)
      VALUES (${matchId}, 'atp', 'doubles', '2024-01-01', false, '6-1 6-1', 'completed', '{6,6}', '{1,1}', '{null,null}', '2024-1',
        'F', ${one}, ${two}, ${three}, ${four})`
  })

it.live(
  "fills an empty archive once, and marks every match as simulated",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* fillArchive(tourSample)
      const filled = yield* counts
      assert.strictEqual(filled.players, 200)
      assert.strictEqual(filled.rankings, 2 * 103 * 100)
      assert.isAbove(filled.matches, 4_000)
      yield* fillArchive(tourSample)
      assert.deepStrictEqual(yield* counts, filled)
      const real = yield* sql`
        SELECT match_id FROM tennis_matches
        WHERE tournament_name NOT LIKE '% (simulated)' OR date_source IS DISTINCT FROM 'simulator' OR date_is_tournament_start
          OR score_problem IS NOT NULL OR match_date > now()`
      assert.deepStrictEqual(real, [])
      const strangers = yield* sql`
        SELECT match_id FROM tennis_matches WHERE NOT (
          winner_id IN (SELECT player_id FROM tennis_players) AND loser_id IN (SELECT player_id FROM tennis_players))`
      assert.deepStrictEqual(strangers, [])
    }).pipe(Effect.provide(stores)),
  60_000,
)

it.live(
  "continues interrupted tours with their original day",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const imports = (yield* Imports).of(TENNIS)
      yield* imports.begin({ source: "simulator", file: "tour", fingerprint: "2025-06-05" })
      yield* fillArchive(tourSample)
      const filled = yield* counts
      yield* sql`UPDATE imports SET finished_at = NULL WHERE source = 'simulator'`
      yield* sql`DELETE FROM tennis_matches WHERE match_date > '2025-01-01'`
      yield* fillArchive(tourSample)
      assert.deepStrictEqual(yield* counts, filled)
      assert.deepStrictEqual(yield* sql`SELECT max(match_date)::text AS last FROM tennis_matches`, [{ last: "2025-06-05" }])
      assert.isTrue(Option.getOrUndefined(yield* imports.find("simulator", "tour"))?.finished)
    }).pipe(Effect.provide(stores)),
  60_000,
)

it.live(
  "removes the tours once there are real rows, and never writes them again",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { remove } = yield* SimulatedTours
      yield* sql`INSERT INTO tennis_players (player_id, tour) VALUES ('atp_100001', 'atp')`
      yield* sql`INSERT INTO tennis_rankings (player_id, ranking_date, tour, rank) VALUES ('atp_100001', '2024-01-01', 'atp', 1)`
      yield* remove
      yield* fillArchive(tourSample)
      assert.isAbove((yield* counts).matches, 4_000)
      yield* insertRealMatch
      yield* insertDoubles("real", 100_001)
      yield* insertDoubles("simulated", FIRST_SIMULATED_PLAYER)
      yield* remove
      assert.deepStrictEqual(yield* sql`SELECT match_id AS id FROM tennis_doubles_matches`, [{ id: "real" }])
      assert.deepStrictEqual(yield* counts, { players: 1, matches: 1, rankings: 1 })
      yield* fillArchive(tourSample)
      assert.deepStrictEqual(yield* counts, { players: 1, matches: 1, rankings: 1 })
    }).pipe(Effect.provide(stores)),
  60_000,
)

it.live(
  "leaves an archive alone that has a match",
  () =>
    Effect.gen(function* () {
      yield* insertRealMatch
      yield* fillArchive(tourSample)
      assert.deepStrictEqual(yield* counts, { players: 0, matches: 1, rankings: 0 })
      assert.isTrue(Option.isNone(yield* (yield* Imports).of(TENNIS).find("simulator", "tour")))
    }).pipe(Effect.provide(stores)),
  60_000,
)
