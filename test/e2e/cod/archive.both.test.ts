/** Tests the endpoints of the league's archive over HTTP, on both databases. All names are invented. */
import { assert, layer } from "@effect/vitest"
import { seasonOf } from "@matchpoint/cod/rules/archive/season"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect } from "effect"
import { CodStack } from "../../fixtures/cod/codStack.ts"
import { smallSeason } from "../../fixtures/cod/smallSeason.ts"

interface Item {
  readonly id: string
}

const dayAt = (at: number): string => new Date(at).toISOString().slice(0, 10)

const idsOf = (body: { readonly data: ReadonlyArray<Item> }) => body.data.map(({ id }) => id)

onDatabaseOfRun((driver, database) => {
  layer(CodStack.layer(database, smallSeason), { timeout: "60 seconds", excludeTestServices: true })(
    `archive of the league, ${driver}`,
    (it) => {
      it.effect("ranks the franchises of a season by points, without friendly matches", () =>
        Effect.gen(function* () {
          const { get, now } = yield* CodStack
          const season = seasonOf(dayAt(now))
          const { body } = yield* get("/cdl/standings")
          const [first, second, third] = body.data
          assert.deepInclude(body, {
            success: true,
            count: 3,
            season,
            stage: null,
            cdlPointsReason: null,
            rankReason: null,
            unknownScores: 0,
          })
          // The fixture has no logo of South Wind.
          assert.deepStrictEqual([body.teamLogoReason, body.data[2].teamLogo], ["not_stated", null])
          assert.deepStrictEqual(first, {
            rank: 1,
            orgSlug: "east-wind",
            teamName: "East Wind",
            teamLogo: "https://logos.example/east-wind.png",
            cdlPoints: 50,
            matchRecord: { wins: 0, losses: 1, winPct: 0 },
            mapRecord: { wins: 1, losses: 3, winPct: 0.25 },
          })
          assert.deepStrictEqual(
            [second.orgSlug, second.cdlPoints, second.matchRecord],
            ["north-wind", 20, { wins: 2, losses: 0, winPct: 1 }],
          )
          assert.strictEqual(third.orgSlug, "south-wind")
          assert.deepStrictEqual((yield* get("/standings")).body, body)
          assert.strictEqual((yield* get("/standings?stage=stage-1")).body.stage, "stage-1")
          const old = (yield* get("/standings?season=2023")).body
          assert.deepStrictEqual([old.count, old.cdlPointsReason, old.data[0].cdlPoints], [2, "points_table_unknown", null])
          const unknown = yield* get("/standings?stage=stage-9")
          assert.deepStrictEqual([unknown.status, unknown.body.error.details.valid], [422, ["stage-1"]])
          const missing = yield* get("/standings?season=1999")
          assert.deepStrictEqual([missing.status, missing.body.error.code], [404, "NOT_COVERED"])
          assert.strictEqual((yield* get("/standings?season=2023", "free")).body.error.code, "HISTORY_LIMIT")
        }),
      )

      it.effect("lists coming and all matches in the schedule", () =>
        Effect.gen(function* () {
          const { get, now } = yield* CodStack
          const { body } = yield* get("/cdl/schedule")
          assert.deepStrictEqual([body.count, body.total, body.season, body.broadcastedReason], [1, 1, null, null])
          const { date, ...item } = body.data[0]
          assert.isAbove(Date.parse(date), now)
          assert.deepStrictEqual(item, {
            matchId: "15",
            startTimeKnown: true,
            status: "scheduled",
            team1: { slug: "north-wind", name: "North Wind" },
            team2: { slug: "south-wind", name: "South Wind" },
            tournament: "Invented Major",
            round: "Final",
            broadcasted: true,
          })
          assert.deepStrictEqual((yield* get("/schedule?upcoming=true")).body, body)
          const all = (yield* get("/schedule?upcoming=false&limit=2")).body
          assert.deepStrictEqual([all.broadcastedReason, all.data[0].broadcasted], ["not_stated", null])
          assert.deepStrictEqual(
            all.data.map(({ matchId }: { readonly matchId: string }) => matchId),
            ["bp-match-12", "13"],
          )
          assert.deepInclude(all.pagination, { limit: 2, offset: 0, page: 1, totalPages: 2, hasMore: true, nextPage: 2, nextOffset: 2 })
        }),
      )

      it.effect("filters and pages finished matches, newest first, within the history of the plan", () =>
        Effect.gen(function* () {
          const { get, now } = yield* CodStack
          const { body } = yield* get("/matches")
          assert.deepStrictEqual([idsOf(body), body.total], [["14", "13", "bp-match-12", "11"], 4])
          assert.deepStrictEqual((yield* get("/matches/recent")).body, body)
          const [match] = (yield* get("/matches?tournamentId=2023-cup")).body.data
          assert.deepStrictEqual(match, {
            id: "11",
            matchId: "11",
            bpMatchId: null,
            round: null,
            status: "completed",
            startsAt: "2023-02-01T00:00:00.000Z",
            startTimeKnown: false,
            tournament: { tournamentId: "2023-cup", name: "Old Cup" },
            team1: { slug: "north-wind", name: "North Wind", score: 3 },
            team2: { slug: "south-wind", name: "South Wind", score: 1 },
            scoreReason: null,
            winnerSlug: "north-wind",
          })
          const day = dayAt(now - 3 * 86_400_000)
          const filters: Readonly<Record<string, ReadonlyArray<string>>> = {
            "team=east-wind": ["13"],
            "season=2023": ["11"],
            [`startDate=${day}`]: ["14", "13"],
            [`endDate=${day}`]: ["13", "bp-match-12", "11"],
            [`startDate=${day}&endDate=${day}`]: ["13"],
            "days=10": ["14", "13"],
            "limit=1&page=2": ["13"],
            "limit=1&offset=2": ["bp-match-12"],
            "team=nobody": [],
          }
          for (const [query, expected] of Object.entries(filters)) {
            assert.deepStrictEqual(idsOf((yield* get(`/matches?${query}`)).body), expected, query)
          }
          assert.deepStrictEqual(idsOf((yield* get("/matches", "free")).body), ["14", "13"])
          const refused: Readonly<Record<string, number>> = {
            "startDate=2023-02-30": 400,
            "startDate=2024-02-01&endDate=2024-01-01": 400,
            "days=5&startDate=2024-01-01": 400,
            "season=next": 400,
            "team=No_Slug": 400,
          }
          for (const [query, status] of Object.entries(refused)) assert.strictEqual((yield* get(`/matches?${query}`)).status, status, query)
          assert.strictEqual((yield* get("/matches?endDate=2023-03-01", "free")).status, 403)
          const [coming] = (yield* get("/matches/upcoming?team=south-wind")).body.data
          assert.deepInclude(coming, { id: "15", status: "scheduled", bestOf: 5, winnerSlug: null })
          assert.deepStrictEqual([coming.team1.score, coming.tournament.name], [null, "Invented Major"])
          assert.strictEqual(coming.scoreReason, "not_over")
        }),
      )

      it.effect("returns a match, its maps and its players", () =>
        Effect.gen(function* () {
          const { get } = yield* CodStack
          const { data } = (yield* get("/matches/bp-match-12")).body
          assert.deepInclude(data, { id: "bp-match-12", bpMatchId: "bp-match-12", team1Score: 3, team2Score: 1, winnerSlug: "north-wind" })
          assert.deepStrictEqual(data.tournament, { name: "Invented Major", id: "major" })
          assert.deepStrictEqual(data.maps[1], {
            mapNumber: 2,
            mapName: "Harbor",
            mapImageUrl: null,
            gameMode: "Search and Destroy",
            team1Score: 3,
            team2Score: 6,
            played: true,
            pickedBy: null,
          })
          const [player] = data.playerStats
          assert.deepInclude(player, { playerName: "North Wind One", teamSlug: "north-wind", mapsPlayed: 4, kills: 80, deaths: 40, kd: 2 })
          assert.deepInclude(player, { damage: 8_000, hillTime: 120, firstBloods: 2, assists: null, ratings: { overall: null } })

          const maps = (yield* get("/matches/bp-match-12/maps")).body
          assert.deepStrictEqual(
            [maps.count, maps.data[0]],
            [
              4,
              {
                mapNumber: 1,
                mapName: "Quarry",
                gameMode: "Hardpoint",
                team1Score: 250,
                team2Score: 100,
                winner: "north-wind",
                duration: "10:00",
              },
            ],
          )
          const onMap = (yield* get("/matches/13/maps/1/player-stats")).body.data
          assert.deepStrictEqual(onMap.map, { mapNumber: 1, mapName: "Quarry", gameMode: "Hardpoint" })
          assert.deepStrictEqual(onMap.players[0], {
            ign: "East Wind One",
            team: "East Wind",
            kills: 20,
            deaths: 10,
            kd: 2,
            damage: 2_000,
            hillTime: 60,
            engagements: 30,
          })
          const players = (yield* get("/matches/13/player-stats")).body.data
          assert.deepStrictEqual(players.score, { team1: 3, team2: 1, reason: null, formatted: "3-1" })
          assert.deepStrictEqual(players.players[0].maps[2], {
            mapNumber: 3,
            mapName: "Depot",
            gameMode: "Control",
            kills: 20,
            deaths: 10,
            damage: 2_000,
          })
          assert.notProperty((yield* get("/matches/13/player-stats?includeMaps=false")).body.data.players[0], "maps")

          assert.strictEqual((yield* get("/matches/404404")).status, 404)
          assert.strictEqual((yield* get("/matches/cod-match-1001")).status, 404)
          assert.strictEqual((yield* get("/matches/13/maps/9/player-stats")).status, 404)
          assert.strictEqual((yield* get("/matches/none")).status, 400)
          assert.strictEqual((yield* get("/matches/11/maps", "free")).status, 403)
        }),
      )

      it.effect("ranks players by mode and statistic, and rejects combinations that do not exist", () =>
        Effect.gen(function* () {
          const { get } = yield* CodStack
          const { body } = yield* get("/leaderboards/hardpoint?stat=hillTime")
          assert.deepInclude(body, { mode: "hardpoint", stat: "hillTime", reason: null, count: 3 })
          assert.deepStrictEqual(body.data[0], {
            rank: 1,
            player: { ign: "North Wind One", team: "North Wind" },
            value: 360,
            mapsPlayed: 6,
          })
          const kd = (yield* get("/leaderboards/overall?season=2023")).body
          assert.deepStrictEqual([kd.stat, kd.data.length, kd.data[0].value], ["kd", 2, 2])
          // North Wind and South Wind have 8 maps within 30 days, and East Wind has 4.
          const recent = (yield* get("/leaderboards/overall?stat=kills", "free")).body
          assert.deepStrictEqual(
            recent.data.map(({ mapsPlayed }: { readonly mapsPlayed: number }) => mapsPlayed),
            [8, 4, 4],
          )
          const none = yield* get("/leaderboards/snd?stat=hillTime")
          assert.deepStrictEqual([none.status, none.body.error.details.valid], [422, ["kills", "kd", "damage", "firstBloods"]])
          assert.strictEqual((yield* get("/leaderboards/zombies")).status, 422)
          assert.strictEqual((yield* get("/leaderboards/overall?season=1999")).status, 404)
          assert.strictEqual((yield* get("/leaderboards/overload?stat=kills")).body.reason, "no_players")
        }),
      )

      it.effect("adds up prize money, and states if there is none", () =>
        Effect.gen(function* () {
          const { get } = yield* CodStack
          const { body } = yield* get("/leaderboards/earnings")
          assert.deepStrictEqual(body.data[0], {
            rank: 1,
            player: { codPlayerId: "east-wind-one", ign: "East Wind One", team: "East Wind", imageUrl: null },
            totalEarnings: 600.5,
            tournamentsWon: 1,
          })
          assert.strictEqual((yield* get("/leaderboards/earnings?season=2023")).body.count, 1)
          assert.strictEqual((yield* get("/leaderboards/earnings", "free")).body.count, 1)
          assert.strictEqual((yield* get("/leaderboards/earnings?season=1999")).status, 404)
        }),
      )

      it.effect("finds players, teams and tournaments by names, ids and similar names", () =>
        Effect.gen(function* () {
          const { get } = yield* CodStack
          const { body } = yield* get("/search?q=north%20wind")
          assert.deepStrictEqual(body.data.results.teams[0], {
            slug: "north-wind",
            name: "North Wind",
            logoUrl: "https://logos.example/north-wind.png",
            matchScore: 1,
          })
          const found = (yield* get("/search?q=lovelace&type=player")).body
          assert.deepStrictEqual(found.data.results.players[0], {
            codPlayerId: "north-wind-one",
            ign: "North Wind One",
            realName: "Ada Lovelace",
            team: "North Wind",
            imageUrl: null,
            matchScore: 0.8,
          })
          assert.deepStrictEqual([found.data.results.teams, found.data.results.tournaments], [[], []])
          assert.strictEqual((yield* get("/search?q=Lovelase")).body.data.results.players[0]?.codPlayerId, "north-wind-one")
          assert.strictEqual((yield* get("/search?q=SO&type=team")).body.data.results.teams[0].slug, "south-wind")
          assert.strictEqual((yield* get("/search?q=invented")).body.data.results.tournaments[0].name, "Invented Major")
          assert.strictEqual((yield* get("/search?q=wind&limit=1")).body.data.results.teams.length, 1)
          assert.strictEqual((yield* get("/search")).status, 400)
          assert.strictEqual((yield* get("/search?q=%20")).status, 400)
        }),
      )

      it.effect("answers an unchanged response with 304", () =>
        Effect.gen(function* () {
          const { get } = yield* CodStack
          const { headers } = yield* get("/matches/13")
          const again = yield* get("/matches/13", "pro", { "if-none-match": headers.get("etag") ?? "" })
          assert.strictEqual(again.status, 304)
        }),
      )
    },
  )
})
