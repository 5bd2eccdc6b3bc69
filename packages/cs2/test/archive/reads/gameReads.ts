import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { GameArchive } from "../../../src/archive/matches/GameArchive.ts"
import { sample } from "../fixtures/sampleArchive.ts"
import type { ArchiveIt } from "../sampled.ts"

const matchNumber = sample.matches.deep
const first = { matchNumber, mapNumber: 1 }
const all = { limit: 500, offset: 0 }

export const gameReads = (it: ArchiveIt) => {
  it.effect("returns a game's score, halves, player lines and objectives", () =>
    Effect.gen(function* () {
      const games = yield* GameArchive
      const { game, source } = Option.getOrThrow(yield* games.find(first))
      assert.strictEqual(source, "sample")
      assert.deepStrictEqual(game.score, { team1: 13, team2: 7 })
      assert.deepStrictEqual(game.halfScores, [
        { half: 1, team1: 8, team2: 4, team1Side: "CT", team2Side: "T", overtime: false },
        { half: 2, team1: 5, team2: 3, team1Side: "T", team2Side: "CT", overtime: false },
      ])
      assert.deepStrictEqual([game.team1Halves, game.team2Halves, game.overtime], [[8, 5], [4, 3], null])
      assert.deepStrictEqual(game.duration, { rounds: 20, source: "rounds", seconds: 2_400 })
      assert.deepStrictEqual([game.playerStats.length, game.roundsAvailable, game.unavailableReason], [10, true, null])
      assert.deepStrictEqual(
        game.objectiveStats.teamStats.map(({ teamId, ...counts }) => [teamId as string, counts]),
        [
          ["cs2-team-1", { plants: 0, defuses: 0, explosions: 0, clutchDefuses: 0 }],
          ["cs2-team-2", { plants: 1, defuses: 0, explosions: 0, clutchDefuses: 0 }],
        ],
      )
      const shallow = Option.getOrThrow(yield* games.find({ matchNumber, mapNumber: 3 })).game
      assert.deepStrictEqual(
        [shallow.playerStats, shallow.playerStatsAvailable, shallow.unavailableReason, shallow.duration.source],
        [[], false, "not_yet_indexed", "score"],
      )
      assert.deepStrictEqual([shallow.objectiveStats.dataAvailable, shallow.objectiveStats.teamStats], [false, []])
      assert.isTrue(Option.isNone(yield* games.find({ matchNumber, mapNumber: 4 })))
      assert.isTrue(Option.isNone(yield* games.head({ matchNumber: 9_999, mapNumber: 1 })))
    }),
  )

  it.effect("lists player lines by team, best rating first; unreported values are null", () =>
    Effect.gen(function* () {
      const games = yield* GameArchive
      const { rows, total } = yield* games.playerStats(first, all)
      assert.deepStrictEqual(
        rows.map(({ playerName }) => playerName),
        ["p101", "p102", "p103", "p104", "p105", "p201", "p202", "p203", "p204", "p205"],
      )
      const [best] = rows
      assert.strictEqual(total, 10)
      assert.strictEqual(best?.id, "cs2-match-1001-map-1-cs2-player-101")
      assert.deepStrictEqual(
        [best?.kills, best?.deaths, best?.plusMinus, best?.headshots, best?.headshotPercent, best?.rating],
        [19, 11, 8, 9, 0.4737, 1.2],
      )
      assert.deepStrictEqual(best?.ratingProfile.openingDuels, { openingKills: 4, openingDeaths: 1, successRate: 0.8 })
      assert.deepStrictEqual(best?.ratingProfile.components, { killsPerMap: 19, adr: 81, kast: 0.7, killsPlusAssistsPerDeath: 2.18 })
      assert.deepStrictEqual(
        [best?.player.slug, best?.team.slug, best?.availableSubresources],
        ["p101", "alpha-wolves", ["rounds", "events"]],
      )
      const [flat] = (yield* games.playerStats({ matchNumber, mapNumber: 2 }, all)).rows
      assert.deepStrictEqual(
        [flat?.headshots, flat?.headshotPercent, flat?.firstKills, flat?.ratingProfile.openingDuels.successRate, flat?.clutchesWon],
        [null, null, null, null, null],
      )
      const page = yield* games.playerStats({ matchNumber }, { limit: 3, offset: 9 })
      assert.deepStrictEqual([page.rows.map(({ mapId }) => (mapId as string).at(-1)), page.total], [["1", "2", "2"], 20])
    }),
  )

  it.effect("returns a match's maps with player lines, bombs and weapons, and names what is missing", () =>
    Effect.gen(function* () {
      const games = yield* GameArchive
      const [deep, flat, shallow] = yield* games.mapsOf(matchNumber)
      assert.deepStrictEqual(
        deep?.weaponAggregates.map(({ weapon, kills, headshots, headshotPercent }) => [weapon, kills, headshots, headshotPercent]),
        [
          ["ak47", 80, 40, 0.5],
          ["awp", 30, 10, 0.3333],
        ],
      )
      assert.deepStrictEqual(deep?.bombEvents, [
        {
          eventId: "demo_evt_2",
          eventType: "BombPlanted",
          playerName: "Player 201",
          playerNick: "p201",
          ctPlayers: 2,
          tPlayers: 3,
          bombSite: "A",
          observedAt: null,
        },
      ])
      assert.deepStrictEqual(deep?.unavailableSubresources, [])
      assert.deepStrictEqual(flat?.availableSubresources, ["playerStats", "demos"])
      assert.deepStrictEqual([flat?.bombStats, flat?.objectiveStats.unavailableReason], [[], "not_yet_indexed"])
      assert.deepStrictEqual([shallow?.playerStats, shallow?.unavailableFields, shallow?.mapName], [[], {}, "de_train"])
      assert.deepStrictEqual(
        (yield* games.gamesOf(matchNumber)).map(({ id }) => id as string),
        [1, 2, 3].map((map) => `cs2-match-1001-map-${map}`),
      )
    }),
  )

  it.effect("rounds show the winner and its side, and end with the final score", () =>
    Effect.gen(function* () {
      const games = yield* GameArchive
      const { rows, total } = yield* games.rounds(first, all)
      assert.deepStrictEqual([rows.length, total], [20, 20])
      const { winnerTeamId, ctTeamId, ...ninth } = rows[8] ?? assert.fail("no ninth round")
      assert.deepStrictEqual([winnerTeamId as string, ctTeamId as string], ["cs2-team-2", "cs2-team-1"])
      assert.deepInclude(ninth, { winner: "TERRORIST", winType: "Target_Bombed", winKind: "bomb", bombSite: "A", durationSeconds: 75 })
      assert.deepInclude(ninth, { counterTerroristScore: 8, terroristScore: 1, team1Score: 8, team2Score: 1 })
      const last = rows.at(-1)
      assert.deepStrictEqual([last?.team1Score, last?.team2Score, last?.winner], [13, 7, "TERRORIST"])
      assert.deepStrictEqual([last?.counterTerroristScore, last?.terroristScore], [7, 13])
      assert.deepStrictEqual((yield* games.rounds({ matchNumber, mapNumber: 2 }, all)).total, 0)
      assert.deepStrictEqual(
        (yield* games.rounds(first, { limit: 2, offset: 19 })).rows.map(({ round }) => round),
        [20],
      )
    }),
  )

  it.effect("lists events in order, filtered by type or round", () =>
    Effect.gen(function* () {
      const games = yield* GameArchive
      const { rows, total, types } = yield* games.events(first, {}, all)
      assert.deepStrictEqual([rows.map(({ type }) => type), total], [["Kill", "BombPlanted", "RoundEnd"], 3])
      assert.deepInclude(rows[0], {
        id: "demo_evt_1",
        playerNick: "p101",
        victimNick: "p201",
        weapon: "ak47",
        headshot: true,
        clockSeconds: 20,
      })
      assert.deepInclude(rows[1], { bombSite: "A", tPlayers: 3, ctPlayers: 2, playerName: "Player 201" })
      assert.sameMembers([...types], ["Kill", "BombPlanted", "RoundEnd"])
      const plants = yield* games.events(first, { type: "BombPlanted" }, all)
      assert.deepStrictEqual([plants.rows.length, plants.total, plants.types.length], [1, 1, 3])
      assert.strictEqual((yield* games.events(first, { round: 20 }, all)).rows[0]?.type, "RoundEnd")
      assert.deepStrictEqual(yield* games.events({ matchNumber, mapNumber: 2 }, {}, all), {
        rows: [],
        before: 0,
        next: null,
        total: 0,
        types: [],
      })
    }),
  )
}
