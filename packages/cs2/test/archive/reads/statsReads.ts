import { assert } from "@effect/vitest"
import { atTime } from "@matchpoint/testing/atTime"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { PlayerStats } from "../../../src/archive/stats/PlayerStats.ts"
import { StatsRefresh } from "../../../src/archive/stats/StatsRefresh.ts"
import { TeamAndMapStats } from "../../../src/archive/stats/TeamAndMapStats.ts"
import { type ArchiveIt, SAMPLE_NOW } from "../sampled.ts"

const refreshed = Effect.flatMap(StatsRefresh, ({ refresh }) => atTime(SAMPLE_NOW)(refresh))

const page = (days: number | null, more: { readonly minMaps?: number; readonly limit?: number; readonly offset?: number } = {}) => ({
  window: { days, now: SAMPLE_NOW },
  minMaps: 1,
  limit: 50,
  offset: 0,
  ...more,
})

export const statsReads = (it: ArchiveIt) => {
  it.effect("lists players by kills, with rates weighted by rounds", () =>
    Effect.gen(function* () {
      yield* refreshed
      const players = yield* PlayerStats
      const { rows, total } = yield* players.players(page(90))
      // Players 105 and 201 have equally many kills.
      assert.deepStrictEqual(
        rows.map(({ kills, playerId }) => [playerId as string, kills]),
        [
          ["cs2-player-101", 38],
          ["cs2-player-102", 36],
          ["cs2-player-103", 34],
          ["cs2-player-104", 32],
          ["cs2-player-105", 30],
          ["cs2-player-201", 30],
          ["cs2-player-202", 28],
          ["cs2-player-203", 26],
          ["cs2-player-204", 24],
          ["cs2-player-205", 22],
        ],
      )
      assert.strictEqual(total, 10)
      const [first] = rows
      assert.deepInclude(first, { playerName: "p101", teamName: "Alpha Wolves", maps: 2, deaths: 22, assists: 10, kdRatio: 1.73 })
      assert.deepInclude(first, { adr: 81, kast: 0.7, rating: 1.2, openingKills: 4, openingDeaths: 1, openingDuelSuccessRate: 0.8 })
      assert.deepStrictEqual(first?.ratingProfile.components, { killsPerMap: 19, adr: 81, kast: 0.7, killsPlusAssistsPerDeath: 2.18 })
      assert.strictEqual(first?.source, "sample")
    }),
  )

  it.effect("a window that is not precomputed returns the same numbers as one that is", () =>
    Effect.gen(function* () {
      yield* refreshed
      const players = yield* PlayerStats
      const scene = yield* TeamAndMapStats
      // The match was 40 days ago.
      for (const days of [29, 30]) {
        const { indexed, rows, total } = yield* players.players(page(days))
        assert.deepStrictEqual([indexed, rows.length, total], [false, 0, 0])
      }
      assert.deepStrictEqual(yield* players.players(page(60)), yield* players.players(page(90)))
      assert.deepStrictEqual(yield* players.leaderboard("kast", page(41)), yield* players.leaderboard("kast", page(null)))
      assert.deepStrictEqual(yield* scene.teams(page(200)), yield* scene.teams(page(365)))
      assert.deepStrictEqual(yield* scene.pistolRounds(page(200)), yield* scene.pistolRounds(page(365)))
      assert.deepStrictEqual(yield* scene.maps(page(200)), yield* scene.maps(page(365)))
      assert.deepStrictEqual(yield* scene.weapons(page(200)), yield* scene.weapons(page(365)))
    }),
  )

  it.effect("leaderboards rank by their metric, by page, and leave out players with too few maps", () =>
    Effect.gen(function* () {
      yield* refreshed
      const players = yield* PlayerStats
      const ranked = (metric: "rating" | "adr" | "kd" | "kast" | "opening-kills", more = {}) =>
        Effect.map(players.leaderboard(metric, page(null, { limit: 3, ...more })), ({ rows }) =>
          rows.map(({ playerId }) => playerId.slice("cs2-player-".length)),
        )
      assert.deepStrictEqual(yield* ranked("rating"), ["101", "201", "102"])
      assert.deepStrictEqual(yield* ranked("adr"), ["105", "205", "104"])
      assert.deepStrictEqual(yield* ranked("kd"), ["101", "102", "201"])
      assert.deepStrictEqual(yield* ranked("kast"), ["101", "102", "103"])
      assert.deepStrictEqual(yield* ranked("rating", { offset: 2 }), ["102", "202", "103"])
      // Two maps, one of which reports opening duels.
      assert.deepStrictEqual(yield* ranked("opening-kills"), ["101", "201", "102"])
      assert.deepStrictEqual(yield* ranked("opening-kills", { minMaps: 2 }), [])
      assert.deepStrictEqual(yield* ranked("rating", { minMaps: 3 }), [])
      const none = yield* players.leaderboard("rating", page(null, { minMaps: 3 }))
      assert.isTrue(none.indexed)
    }),
  )

  it.effect("lists of duels, clutches, flashes, utility and economy count the maps that report them", () =>
    Effect.gen(function* () {
      yield* refreshed
      const players = yield* PlayerStats
      const playerAndTeam = { playerId: "cs2-player-101", playerName: "p101", teamId: "cs2-team-1", teamName: "Alpha Wolves" }
      const first = <A>({ rows }: { readonly rows: ReadonlyArray<A> }): unknown => rows[0]
      assert.deepStrictEqual(first(yield* players.openingDuels(page(null))), {
        ...playerAndTeam,
        maps: 1,
        openingKills: 4,
        openingDeaths: 1,
        openingDuelAttempts: 5,
        openingDuelSuccessRate: 0.8,
        kills: 38,
        deaths: 22,
      })
      assert.deepStrictEqual(first(yield* players.clutches({ ...page(null), minAttempts: 3 })), {
        ...playerAndTeam,
        clutchAttempts: 3,
        clutchesWon: 2,
        clutchWinPercent: 66.67,
        wins1v1: 1,
        wins1v2: 1,
        wins1v3Plus: 0,
      })
      assert.strictEqual((yield* players.clutches({ ...page(null), minAttempts: 4 })).total, 0)
      const flashes = yield* players.flashAssists(page(null))
      assert.deepInclude(first(flashes), { playerId: "cs2-player-105", flashAssists: 5, maps: 1, flashAssistsPerMap: 5 })
      const utility = first(yield* players.utility(page(null)))
      assert.deepInclude(utility, {
        ...playerAndTeam,
        maps: 1,
        utilityEvents: 29,
        flashes: 10,
        smokes: 8,
        fireGrenades: 6,
        heGrenades: 4,
        decoys: 1,
      })
      assert.deepInclude(utility, { utilityPerMap: 29, lastSyncedAt: "2026-11-21T12:00:00.000Z" })
      const economy = first(yield* players.economy(page(null)))
      assert.deepInclude(economy, {
        ...playerAndTeam,
        maps: 1,
        purchases: 60,
        totalSpend: 70_000,
        avgEquipmentValue: 4_000,
        spendPerMap: 70_000,
      })
      assert.deepInclude(economy, { equipmentSnapshots: 20, fullBuyRounds: 12, halfBuyRounds: 3, forceBuyRounds: 2, ecoOrPistolRounds: 3 })
    }),
  )

  it.effect("teams count matches and maps without forfeits", () =>
    Effect.gen(function* () {
      yield* refreshed
      const scene = yield* TeamAndMapStats
      const { rows } = yield* scene.teams(page(365, { minMaps: 0 }))
      assert.deepStrictEqual(
        rows.map(({ matches, matchWinPercent, matchWins, teamName }) => [teamName, matches, matchWins, matchWinPercent]),
        [
          ["Čarodějové", 1, 1, 100],
          ["Alpha Wolves", 2, 1, 50],
          ["Team Bravo", 1, 0, 0],
        ],
      )
      assert.deepInclude(rows[0], { maps: 0, mapWinPercent: null, roundWinPercent: null })
      assert.deepInclude(rows[1], { maps: 3, mapWins: 2, mapLosses: 1, mapWinPercent: 66.67, roundsFor: 36, roundsAgainst: 31 })
      assert.deepInclude(rows[1], { roundWinPercent: 53.73 })
      const withMaps = yield* scene.teams(page(365, { minMaps: 3 }))
      assert.deepStrictEqual([withMaps.total, withMaps.rows.length], [2, 2])
      const ever = yield* scene.teams(page(null, { minMaps: 3 }))
      assert.deepInclude(ever.rows[1], { teamName: "Team Bravo", matches: 2, matchWins: 1 })
    }),
  )

  it.effect("lists maps, weapons and pistol rounds", () =>
    Effect.gen(function* () {
      yield* refreshed
      const scene = yield* TeamAndMapStats
      assert.deepStrictEqual((yield* scene.maps(page(365))).rows, [
        { mapName: "de_inferno", mapsPlayed: 1, share: 0.3333 },
        { mapName: "de_mirage", mapsPlayed: 1, share: 0.3333 },
        { mapName: "de_train", mapsPlayed: 1, share: 0.3333 },
      ])
      assert.deepStrictEqual((yield* scene.weapons(page(null))).rows, [
        { weapon: "ak47", kills: 80, headshots: 40, headshotPercent: 0.5, killShare: 0.7273, maps: 1 },
        { weapon: "awp", kills: 30, headshots: 10, headshotPercent: 0.3333, killShare: 0.2727, maps: 1 },
      ])
      const { rows } = yield* scene.pistolRounds(page(null))
      assert.deepInclude(rows[0], { teamName: "Alpha Wolves", pistolRoundsPlayed: 2, pistolRoundsWon: 2, pistolWinPercent: 100, maps: 1 })
      assert.deepInclude(rows[0], { firstHalfPistolWins: 1, secondHalfPistolWins: 1, ctPistolWinPercent: 100, tPistolWinPercent: 100 })
      assert.deepInclude(rows[1], { teamName: "Team Bravo", pistolRoundsWon: 0, pistolWinPercent: 0, tPistolWinPercent: 0 })
    }),
  )

  it.effect("no statistic includes a match before the slowest plan sees its end", () =>
    Effect.gen(function* () {
      const scene = yield* TeamAndMapStats
      const sql = yield* SqlClient.SqlClient
      const ended = SAMPLE_NOW - 40 * 86_400_000 + 0.1 * 86_400_000
      const [row] = yield* sql<{ ended: boolean }>`
        SELECT floor(extract(epoch FROM ends_at) * 1000) = ${ended} AS ended FROM cs2_series WHERE match_number = 1001`
      assert.isTrue(row?.ended)
      const matchesAt = (now: number) =>
        Effect.map(scene.teams({ ...page(7, { minMaps: 0 }), window: { days: 7, now } }), ({ total }) => total)
      assert.strictEqual(yield* matchesAt(ended + 59_000), 0)
      assert.strictEqual(yield* matchesAt(ended + 61_000), 2)
    }),
  )
}
