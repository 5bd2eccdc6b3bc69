/** Tests the derivation of rosters and rankings on every driver. */
import { assert, layer, type Vitest } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { type AnyDatabase, onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Rankings } from "../../src/archive/rankings/Rankings.ts"
import { RankingWriter } from "../../src/archive/rankings/RankingWriter.ts"
import { RosterDerivation } from "../../src/archive/rosters/RosterDerivation.ts"
import { Rosters } from "../../src/archive/rosters/Rosters.ts"
import { Transfers } from "../../src/archive/rosters/Transfers.ts"

const day = (text: string): Date => new Date(text)

const page = { limit: 100, offset: 0 }
const transfersOf = { ...page, computed: true, undated: true, oldestFirst: true }

/**
 * Teams 1 and 2 play each other 40 times, every third day from 2026-01-01 on, and team 1 wins three of four matches.
 * Player 15 plays for team 1 in the first 20 matches and for team 2 afterwards. Player 99 substitutes once for player
 * 11. One match has no lineups.
 */
const insertSeason = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO cs2_teams (team_number, name, name_key, slug, source)
    SELECT n, 'Team ' || n, 'team' || n, 'team-' || n, 'test' FROM generate_series(1, 2) n`
  yield* sql`
    INSERT INTO cs2_players (player_number, nickname, nickname_key, slug, source)
    SELECT n, 'p' || n, 'p' || n, 'p' || n, 'test' FROM unnest(ARRAY[11, 12, 13, 14, 15, 21, 22, 23, 24, 25, 99]) n`
  yield* sql`
    INSERT INTO cs2_series (match_number, status, starts_at, starts_precision, team1_number, team2_number, winner_team_number, source)
    SELECT 1000 + n, 'completed', '2026-01-01'::timestamptz + n * interval '3 days', 'day', 1, 2, CASE WHEN n % 4 = 0 THEN 2 ELSE 1 END, 'test'
    FROM generate_series(0, 40) n`
  yield* sql`
    INSERT INTO cs2_lineups (match_number, team_number, player_number, played_at)
    SELECT s.match_number, p.team, p.player, s.starts_at
    FROM cs2_series s, LATERAL (
      SELECT CASE WHEN number = 15 AND s.match_number >= 1020 THEN 2 WHEN number < 20 THEN 1 ELSE 2 END AS team,
        CASE WHEN number = 11 AND s.match_number = 1010 THEN 99 ELSE number END AS player
      FROM unnest(ARRAY[11, 12, 13, 14, 15, 21, 22, 23, 24, 25]) number
      WHERE NOT (number = 25 AND s.match_number >= 1020)
    ) p WHERE s.match_number <> 1040`
})

const suite = (it: Vitest.MethodsNonLive<RankingWriter | Rankings | RosterDerivation | Rosters | Transfers | SqlClient.SqlClient>) => {
  it.effect("derives rosters from lineups: the same lineups change nothing, new ones change only what they affect", () =>
    Effect.gen(function* () {
      const derivation = yield* RosterDerivation
      const rosters = yield* Rosters
      const transfers = yield* Transfers
      yield* insertSeason
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        INSERT INTO cs2_transfers (transfer_key, player_number, to_team_number, status, detected_at, computed)
        VALUES ('told', 11, 1, 'joined', '2026-01-01', false)`

      const first = yield* derivation.rebuild()
      assert.strictEqual(first.players, 11)
      assert.isAbove(first.changed, 10)
      const told = (yield* transfers.transfers(transfersOf)).rows.map(
        ({ fromTeamId, playerId, status, toTeamId, transferDate }) =>
          `${playerId} ${status} ${fromTeamId} ${toTeamId} ${transferDate?.slice(0, 10)}`,
      )
      assert.deepStrictEqual(told, [
        "cs2-player-11 joined no-team cs2-team-1 undefined",
        "cs2-player-15 transferred cs2-team-1 cs2-team-2 2026-03-02",
      ])
      const changes = (yield* rosters.changes({ ...page, player: "p25" })).rows.map(({ changeType, effectiveAt }) => [
        changeType,
        effectiveAt,
      ])
      assert.deepStrictEqual(changes, [["bench", "2026-03-02T00:00:00.000Z"]])

      assert.deepStrictEqual(yield* derivation.rebuild(), { players: 11, changed: 0 })
      assert.deepStrictEqual(yield* derivation.rebuild(day("2100-01-01")), { players: 0, changed: 0 })

      // The move is undone: rows derived from it are deleted, rows reported by a source stay.
      yield* sql`UPDATE cs2_lineups SET team_number = 1 WHERE player_number = 15`
      yield* sql`UPDATE cs2_series SET last_synced_at = '2099-01-01' WHERE match_number = 1001`
      const again = yield* derivation.rebuild(day("2098-01-01"))
      assert.isAbove(again.changed, 2)
      const keys = (yield* transfers.transfers(transfersOf)).rows.map(({ playerId, transferKey }) => [playerId as string, transferKey])
      assert.isTrue(keys.some(([, key]) => key === "told"))
      assert.isFalse(keys.some(([player]) => player === "cs2-player-15"))
    }),
  )

  it.effect("computes the world ranking from matches by date; computing it again changes nothing", () =>
    Effect.gen(function* () {
      const writer = yield* RankingWriter
      const rankings = yield* Rankings
      const built = yield* writer.rebuildWorld
      assert.isAbove(built.rankings, 8)
      const newest = yield* rankings.ranking({ source: "world", region: "global", ...page })
      assert.strictEqual(newest.date, "2026-05-04")
      assert.deepStrictEqual(
        newest.rows.map(({ movement, rank, team, teamName }) => [rank, teamName, movement, team.worldRanking]),
        [
          [1, "Team 1", 0, 1],
          [2, "Team 2", 0, 2],
        ],
      )
      assert.deepStrictEqual(yield* writer.rebuildWorld, { rankings: built.rankings, changed: 0 })
      const sql = yield* SqlClient.SqlClient
      const known =
        yield* sql`SELECT entity_number::integer AS team, weight FROM cs2_search WHERE entity_type = 'team' AND weight > 0.69 ORDER BY 1`
      assert.deepStrictEqual(known, [
        { team: 1, weight: 1 },
        { team: 2, weight: 1 },
      ])
    }),
  )

  it.effect("writes standings, factors and prizes once", () =>
    Effect.gen(function* () {
      const writer = yield* RankingWriter
      const rankings = yield* Rankings
      const roster = ["a", "b", "c"]
      const rows = (["global", "europe"] as const).map((region) => ({
        region,
        rankedOn: "2026-02-02",
        rank: 1,
        teamNumber: 1,
        points: 900,
        roster,
      }))
      const factors = { startingValue: 800, bountyOffered: 0.5, bountyCollected: 0.4, opponentNetwork: 0.3, lanWins: null }
      const prizes = [{ teamNumber: 1, endedOn: "2026-02-01", ordinal: 0, usdCents: 12_345 }]
      const write = Effect.all([
        writer.standings("test", rows),
        writer.factors([{ rankedOn: "2026-02-02", globalRank: 1, teamNumber: 1, factors }]),
        writer.prizes("test", prizes),
      ])
      assert.deepStrictEqual(yield* write, [2, 2, 1])
      assert.deepStrictEqual(yield* write, [0, 0, 0])
      const shown = yield* rankings.ranking({ source: "vrs", region: "europe", ...page })
      assert.deepStrictEqual([shown.rows[0]?.factors, shown.rows[0]?.roster], [factors, roster])
    }),
  )
}

const derived = (driver: AnyDatabase) =>
  Layer.mergeAll(RankingWriter.layer, Rankings.layer, RosterDerivation.layer, Rosters.layer, Transfers.layer).pipe(
    Layer.provide(Migrations.layer),
    Layer.provideMerge(driver),
  )

onDatabaseOfRun((database, driver) => layer(derived(driver), { timeout: "60 seconds" })(`RosterDerivation on ${database}`, suite))
