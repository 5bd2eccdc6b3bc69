/**
 * Tests the analytics of the league over HTTP, on both databases, over a simulated season. The expected numbers are
 * computed from the rows of the season without the code under test.
 */
import { assert, layer } from "@effect/vitest"
import { combineRows } from "@matchpoint/cod/rules/archive/combineRows"
import type { MatchRecord, PlayerMapLine } from "@matchpoint/cod/rules/archive/rows"
import { simulateLeague } from "@matchpoint/cod/simulator/season/league"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect } from "effect"
import { CodStack } from "../../fixtures/cod/codStack.ts"

const parts = [...simulateLeague({ seed: 1, now: Date.parse("2026-11-25T12:00:00Z") })]
const season = 2027
const ofSeason = parts.filter(
  ({ matches = [], tournaments = [] }) => tournaments.length === 0 || tournaments[0]?.season === season || matches.length === 0,
)
const rows = combineRows([
  ...ofSeason,
  // A match of a source that counts neither damage nor clutches, between two teams that no other match has.
  {
    teams: ["old-one", "old-two"].map((slug) => ({ slug, name: slug, shortName: null, logoUrl: null, simulated: false })),
    players: [{ playerId: "veteran", ign: "Veteran", realName: null, imageUrl: null, simulated: false }],
    tournaments: [
      {
        tournamentId: "2023-old",
        season: 2023,
        name: "Old",
        stage: null,
        isLeague: true,
        pointsPerWin: null,
        prizePool: null,
        simulated: false,
      },
    ],
    totals: [
      {
        tournamentId: "2023-old",
        playerId: "veteran",
        mode: "snd",
        mapsPlayed: 12,
        kills: 80,
        deaths: 100,
        hillTime: null,
        firstBloods: 9,
        captures: null,
      },
    ],
  },
])
const records: ReadonlyArray<MatchRecord> = (rows.matches ?? []).filter(({ match }) => match.status === "completed")
const lines = records.flatMap((record) => record.lines)
const players = new Map((rows.players ?? []).map((player) => [player.playerId, player]))

const sum = (some: ReadonlyArray<PlayerMapLine>, field: keyof PlayerMapLine) =>
  some.reduce((total, line) => total + Number(line[field] ?? 0), 0)
const linesOf = (playerId: string) => lines.filter((line) => line.playerId === playerId)
const round = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals
const playerIds = [...new Set(lines.map(({ playerId }) => playerId))]

onDatabaseOfRun((driver, database) => {
  layer(
    CodStack.layer(database, () => rows),
    { timeout: "60 seconds", excludeTestServices: true },
  )(`analytics of the league, ${driver}`, (it) => {
    it.effect("ranks players by kills per death, as the lines do", () =>
      Effect.gen(function* () {
        const { get } = yield* CodStack
        const { body } = yield* get("/analytics/leaderboard/kd?limit=100")
        const expected = playerIds
          .map((id) => ({ id, deaths: sum(linesOf(id), "deaths"), kd: round(sum(linesOf(id), "kills") / sum(linesOf(id), "deaths"), 3) }))
          .filter(({ deaths }) => deaths >= 150)
          .sort((one, other) => other.kd - one.kd || other.deaths - one.deaths)
        assert.deepStrictEqual(
          body.data.map(({ playerId, sample, value }: Record<string, unknown>) => [playerId, value, sample]),
          expected.map(({ deaths, id, kd }) => [id, kd, deaths]),
        )
        assert.deepInclude(body, { stat: "kd", season: null, unit: "ratio", reason: null, total: expected.length })
        assert.deepStrictEqual(body.minimumSample, { value: 150, of: "deaths" })
        const second = (yield* get("/analytics/leaderboard/kd?limit=10&offset=10")).body
        assert.deepStrictEqual(second.data, body.data.slice(10, 20))
        assert.deepInclude(second.pagination, { page: 2, hasMore: true, nextOffset: 20 })
      }),
    )

    it.effect("computes clutches, first bloods and traded deaths of a player", () =>
      Effect.gen(function* () {
        const { get } = yield* CodStack
        const board = (yield* get("/analytics/leaderboard/clutch_factor?season=2027")).body.data
        const { playerId, rank, value } = board[2]
        const own = linesOf(playerId)
        const { body } = yield* get(`/analytics/players/${playerId}/clutch-factor?season=2027`)
        const { breakdown, firstBloods, overall, tradedDeaths } = body.clutchFactor
        assert.deepStrictEqual([overall, body.clutchFactor.rank, body.gaps], [value, rank, []])
        const kinds = ["1v1", "1v2", "1v3"] as const
        const expected = kinds.reduce((total, kind) => {
          const [tries, wins] = [`clutch${kind}Attempts`, `clutch${kind}Wins`] as const
          assert.deepInclude(breakdown[kind], { attempts: sum(own, tries), wins: sum(own, wins) })
          return total + (sum(own, tries) * sum(lines, wins)) / sum(lines, tries)
        }, 0)
        const wins = kinds.reduce((total, kind) => total + sum(own, `clutch${kind}Wins`), 0)
        assert.strictEqual(overall, round(wins / expected, 2))
        const rounds = records.flatMap(({ lines: some, maps }) =>
          maps.filter(
            ({ mapNumber, mode, played }) =>
              played && mode === "snd" && some.some((line) => line.mapNumber === mapNumber && line.playerId === playerId),
          ),
        )
        const played = rounds.reduce((total, { team1Score, team2Score }) => total + (team1Score ?? 0) + (team2Score ?? 0), 0)
        assert.strictEqual(firstBloods.total, sum(own, "firstBloods"))
        assert.strictEqual(firstBloods.perRound, round(sum(own, "firstBloods") / played, 3))
        assert.strictEqual(tradedDeaths.rate, round(sum(own, "tradedDeaths") / sum(own, "deaths"), 3))
      }),
    )

    it.effect("states why the values of a player without recorded rounds are null", () =>
      Effect.gen(function* () {
        const { get } = yield* CodStack
        const { body } = yield* get("/analytics/players/VETERAN/clutch-factor")
        assert.deepStrictEqual([body.player, body.clutchFactor.overall, body.clutchFactor.firstBloods.total], ["Veteran", null, 9])
        assert.deepStrictEqual(
          body.gaps.map(({ field, reason }: Record<string, string>) => [field, reason]),
          [
            ["clutchFactor.overall", "not_recorded"],
            ["clutchFactor.firstBloods.perRound", "not_recorded"],
            ["clutchFactor.tradedDeaths.rate", "not_recorded"],
          ],
        )
        const none = (yield* get("/analytics/players/veteran/clutch-factor?season=2027")).body
        assert.isTrue(none.gaps.every(({ reason }: Record<string, string>) => reason === "no_maps"))
        const trends = (yield* get("/analytics/players/veteran/trends?period=season")).body
        assert.deepStrictEqual(trends.data, [{ label: "2023", value: 0.8, date: null }])
        assert.deepStrictEqual([trends.average, trends.trend, trends.gaps[0].reason], [0.8, null, "too_few_points"])
      }),
    )

    it.effect("lists a player's matches, tournaments and seasons as a series", () =>
      Effect.gen(function* () {
        const { get } = yield* CodStack
        const [playerId = ""] = playerIds
        const own = records
          .filter((record) => record.lines.some((line) => line.playerId === playerId))
          .sort((one, other) => (one.match.startsAt < other.match.startsAt ? -1 : 1))
        const { body } = yield* get(`/analytics/players/${playerId}/trends?stat=damage&limit=4`)
        const values = own.slice(-4).map((record) => {
          const some = record.lines.filter((line) => line.playerId === playerId)
          return round(sum(some, "damage") / some.length, 1)
        })
        assert.deepStrictEqual(
          body.data.map(({ value }: Record<string, number>) => value),
          values,
        )
        assert.strictEqual(Date.parse(body.data.at(-1).date), Date.parse(own.at(-1)?.match.startsAt ?? ""))
        assert.deepInclude(body, { player: players.get(playerId)?.ign, stat: "damage", period: "match", unit: "per map" })
        const tournaments = (yield* get(`/analytics/players/${playerId}/trends?stat=kills&period=tournament`)).body
        assert.strictEqual(tournaments.data.length, new Set(own.map(({ match }) => match.tournamentId)).size)
        const unknown = yield* get(`/analytics/players/${playerId}/trends?stat=aces`)
        assert.deepStrictEqual([unknown.status, unknown.body.error.code], [422, "UNKNOWN_VALUE"])
        assert.include(unknown.body.error.details.valid, "kd")
      }),
    )

    it.effect("compares two players by their matches on opposite sides", () =>
      Effect.gen(function* () {
        const { get } = yield* CodStack
        const [one] = records
        const ids = [one?.match.team1Slug, one?.match.team2Slug].map(
          (slug) => one?.lines.find((line) => line.teamSlug === slug)?.playerId ?? "",
        )
        const [id1 = "", id2 = ""] = ids
        const { body } = yield* get(`/analytics/head-to-head?player1=${players.get(id1)?.ign.toUpperCase()}&player2=${id2}`)
        const met = records.filter((record) => ids.every((id) => record.lines.some((line) => line.playerId === id)))
        const wonBy = (id: string) =>
          met.filter((record) => record.lines.some((line) => line.playerId === id && line.teamSlug === record.match.winnerSlug)).length
        assert.strictEqual(body.matchesPlayed, met.length)
        assert.deepStrictEqual(body.headToHead, { player1Wins: wonBy(id1), player2Wins: wonBy(id2) })
        const seconds = met.flatMap(({ maps }) => maps).reduce((total, { durationSeconds }) => total + (durationSeconds ?? 0), 0)
        const kills = sum(
          met.flatMap((record) => record.lines.filter((line) => line.playerId === id1)),
          "kills",
        )
        assert.strictEqual(body.stats.killsPer10.player1, round((kills / seconds) * 600, 1))
        assert.strictEqual((yield* get(`/analytics/head-to-head?player1=${id1}&player2=${id1}`)).status, 400)
        const { body: compared } = yield* get(`/analytics/compare?players=${id2},Veteran`)
        assert.strictEqual(compared.players[0].stats.kd, round(sum(linesOf(id2), "kills") / sum(linesOf(id2), "deaths"), 3))
        assert.deepStrictEqual(compared.players[1].stats, { kd: 0.8, damage: null, kills: 6.7 })
        assert.deepStrictEqual(compared.gaps, [{ field: "players[1].stats.damage", reason: "not_recorded", sample: 0, minimumSample: 0 }])
      }),
    )

    it.effect("describes the style of a team, and compares teams", () =>
      Effect.gen(function* () {
        const { get } = yield* CodStack
        const [{ match } = { match: undefined }] = records
        if (match === undefined) return assert.fail("there is no match")
        const [slug1, slug2] = [match.team1Slug, match.team2Slug]
        const { body: style } = yield* get(`/analytics/teams/${slug1}/style`)
        assert.deepStrictEqual([style.teamSlug, style.gaps], [slug1, []])
        assert.isTrue(Object.values(style.playstyle).every((value) => typeof value === "number" && value >= 0 && value <= 100))
        assert.lengthOf(style.tendencies.preferredMaps, 3)
        const played = records.flatMap(({ maps, match: of }) =>
          [of.team1Slug, of.team2Slug].includes(slug1) ? maps.filter((map) => map.played) : [],
        )
        assert.strictEqual(style.mapsPlayed, played.length)

        const { body: maps } = yield* get(`/analytics/teams/map-comparison?teams=${slug1},${slug2}`)
        const quarry = maps.maps.find(({ gameMode, mapName }: Record<string, string>) => gameMode === "Hardpoint" && mapName === "Quarry")
        const own = played.filter(({ mapName, mode }) => mapName === "Quarry" && mode === "hardpoint")
        assert.deepInclude(quarry.teams[0], {
          slug: slug1,
          played: own.length,
          wins: own.filter(({ winnerSlug }) => winnerSlug === slug1).length,
          picks: own.filter(({ pickedBy }) => pickedBy === slug1).length,
        })

        const { body: met } = yield* get(`/analytics/teams/head-to-head?team1=${slug2}&team2=${slug1}`)
        const meetings = records.filter(({ match: of }) => [slug1, slug2].every((slug) => [of.team1Slug, of.team2Slug].includes(slug)))
        const wonBy = (slug: string) => meetings.filter(({ match: of }) => of.winnerSlug === slug).length
        assert.deepInclude(met.allTime, { team1Wins: wonBy(slug2), team2Wins: wonBy(slug1) })
        assert.strictEqual(met.currentSeason.season, season)
        assert.match(met.currentSeason.lastMatch.score, /^\d-\d$/u)
      }),
    )

    it.effect("rejects unknown players, teams and seasons, and too many players", () =>
      Effect.gen(function* () {
        const { get } = yield* CodStack
        const six = playerIds.slice(0, 6).join(",")
        for (const [path, status, code] of [
          ["/analytics/players/nobody/trends", 404, "NOT_FOUND"],
          ["/analytics/players/nobody/clutch-factor", 404, "NOT_FOUND"],
          ["/analytics/head-to-head?player1=nobody&player2=veteran", 404, "NOT_FOUND"],
          ["/analytics/head-to-head?player1=veteran", 400, "VALIDATION_ERROR"],
          [`/analytics/compare?players=${six}`, 400, "VALIDATION_ERROR"],
          ["/analytics/compare", 400, "VALIDATION_ERROR"],
          ["/analytics/compare?players=veteran,nobody", 404, "NOT_FOUND"],
          ["/analytics/teams/nobody/style", 404, "NOT_FOUND"],
          ["/analytics/teams/head-to-head?team1=old-one", 400, "VALIDATION_ERROR"],
          ["/analytics/teams/head-to-head?team1=old-one&team2=nobody", 404, "NOT_FOUND"],
          ["/analytics/teams/map-comparison", 400, "VALIDATION_ERROR"],
          ["/analytics/leaderboard/aces", 422, "UNKNOWN_VALUE"],
          ["/analytics/leaderboard/kd?season=1999", 404, "NOT_COVERED"],
        ] as const) {
          const response = yield* get(path)
          assert.deepStrictEqual([response.status, response.body.error.code], [status, code], path)
        }
        assert.strictEqual((yield* get("/analytics/leaderboard/kd?season=2023", "free")).body.error.code, "HISTORY_LIMIT")
      }),
    )
  })
})
