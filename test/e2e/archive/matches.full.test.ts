/**
 * Tests matches and their maps over HTTP: every path, both names of a path, order and filters of lists, and the history
 * of plans.
 */
import { assert, it } from "@effect/vitest"
import { Game, GamePlayerStats, GameScore, MapOfMatch } from "@matchpoint/cs2/contract/http/data/gameModels"
import { GameEvent, GameEventType, GameRound, RoundsUnavailable } from "@matchpoint/cs2/contract/http/data/gameTimelineModels"
import { Demo, MatchDetail, MatchResult, TeamsHeadToHead } from "@matchpoint/cs2/contract/http/data/matchModels"
import { MatchSummary } from "@matchpoint/cs2/contract/http/data/models"
import { Effect, Schema } from "effect"
import { inject } from "vitest"
import { sample } from "../../../packages/cs2/test/archive/fixtures/sampleArchive.ts"
import { type ArchiveResponse, ArchiveStack, archiveStacks, dataAs } from "../../fixtures/archiveStack.ts"

const { deep, forfeit, later, old, upcoming, winnerOnly } = sample.matches
const summaries = dataAs(Schema.Array(MatchSummary))
const results = dataAs(Schema.Array(MatchResult))
const lines = dataAs(Schema.Array(GamePlayerStats))
const rounds = dataAs(Schema.Array(GameRound))
const events = dataAs(Schema.Array(GameEvent))
const numbers = (response: ArchiveResponse) => summaries(response).map(({ id }) => Number(id.slice("cs2-match-".length)))
const match = (number: number, rest = "") => `/cs2/matches/cs2-match-${number}${rest}`
/** ISO 8601 instant before `now`, encoded for a query. */
const daysBefore = (now: number, days: number) => encodeURIComponent(new Date(now - days * 86_400_000).toISOString())
const game = (map: number, rest = "") => `/cs2/games/cs2-match-${deep}-map-${map}${rest}`

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl")))) {
  it.layer(stack, { timeout: "60 seconds", excludeTestServices: true })(`matches on ${database}`, (it) => {
    it.effect("returns lists in their order and applies every filter", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const cases: ReadonlyArray<readonly [string, ReadonlyArray<number>]> = [
          ["/cs2/matches", [later, upcoming, forfeit, winnerOnly, deep, old]],
          ["/cs2/matches?status=scheduled", [later, upcoming]],
          ["/cs2/matches?status=live", []],
          ["/cs2/matches?status=completed&team=team-bravo", [deep, old]],
          ["/cs2/matches/upcoming", [upcoming, later]],
          ["/cs2/matches/upcoming?team=cs2-team-4", [later]],
          ["/cs2/matches/recent", [forfeit, winnerOnly, deep, old]],
          ["/cs2/matches/recent?event=cs2-event-12", [forfeit, winnerOnly]],
          ["/cs2/matches/recent?tier=S", [deep]],
          ["/cs2/matches/recent?best_of=1", [forfeit]],
          ["/cs2/matches/recent?team=nobody-knows-them", []],
        ]
        for (const [path, expected] of cases) assert.deepStrictEqual(numbers(yield* get(path)), expected, path)
        const [latest] = results(yield* get("/cs2/matches/recent?event=winter-cup-2026"))
        assert.deepStrictEqual(
          latest?.maps.map(({ team1Score, team2Score }) => [team1Score, team2Score]),
          [
            [13, 7],
            [10, 13],
            [13, 11],
          ],
        )
      }),
    )

    it.effect("treats from and to as inclusive, with or without a zone", () =>
      Effect.gen(function* () {
        const { get, now } = yield* ArchiveStack
        const at = daysBefore(now, 3)
        assert.deepStrictEqual(numbers(yield* get(`/cs2/matches/recent?from=${at}`)), [forfeit])
        assert.deepStrictEqual(numbers(yield* get(`/cs2/matches/recent?from=${at}&to=${at.replace("Z", "")}`)), [forfeit])
      }),
    )

    it.effect("pages without gaps, clamps limits, and prefers an offset to a page", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const first = yield* get("/cs2/matches/recent?limit=3")
        const nextCursor = String(first.meta?.nextCursor)
        const onFirst = { count: 3, limit: 3, total: 4, page: 1, totalPages: 2, hasNext: true, hasPrev: false, nextCursor }
        assert.deepStrictEqual(first.meta, onFirst)
        const second = yield* get("/cs2/matches/recent?limit=3&page=2")
        const onSecond = { count: 1, limit: 3, total: 4, page: 2, totalPages: 2, hasNext: false, hasPrev: true, nextCursor: null }
        assert.deepStrictEqual(second.meta, onSecond)
        const behind = yield* get(`/cs2/matches/recent?limit=3&page=9&cursor=${nextCursor}`)
        assert.deepStrictEqual([behind.data, behind.meta], [second.data, onSecond])
        for (const wrong of [`/cs2/matches/upcoming?cursor=${nextCursor}`, "/cs2/matches?cursor=made-up", "/cs2/matches?cursor=a%20b"]) {
          const refused = yield* get(wrong)
          assert.strictEqual(refused.status, 400)
          assert.match(refused.text, /VALIDATION_ERROR.*cursor/)
        }
        assert.deepStrictEqual([...numbers(first), ...numbers(second)], [forfeit, winnerOnly, deep, old])
        assert.deepStrictEqual(numbers(yield* get("/cs2/matches/recent?limit=2&offset=1&page=9")), [winnerOnly, deep])
        assert.deepStrictEqual((yield* get("/cs2/matches/recent?page=7")).data, [])
        assert.deepInclude((yield* get("/cs2/matches?limit=100000")).meta, { limit: 100, count: 6 })
        assert.deepInclude((yield* get(game(1, "/events?limit=100000"))).meta, { limit: 5_000, count: 3, total: 3 })
        assert.deepInclude((yield* get(match(deep, "/player-stats?limit=7&page=3"))).meta, { count: 6, total: 20, totalPages: 3 })
        assert.deepInclude((yield* get(game(1, "/rounds?limit=15&page=2"))).meta, { count: 5, total: 20, dataAvailable: true })
      }),
    )

    it.effect("returns a match and everything below it", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const response = yield* get(match(deep))
        const detail = dataAs(MatchDetail)(response)
        assert.deepStrictEqual(response.meta, {})
        assert.deepInclude(detail, { stageName: "Final", bestOf: 3, team1Score: 2, team2Score: 1, startsPrecision: "minute" })
        assert.deepStrictEqual([detail.maps.length, detail.lineups.team1.length, detail.streamLinks?.[0]?.platform], [3, 6, "twitch"])
        assert.strictEqual(detail.event?.name, "Winter Cup 2026")
        assert.deepStrictEqual(dataAs(Schema.Array(GameScore))(yield* get(match(deep, "/games"))), detail.maps)
        assert.strictEqual(lines(yield* get(match(deep, "/player-stats"))).length, 20)
        const maps = dataAs(Schema.Array(MapOfMatch))(yield* get(match(deep, "/maps")))
        assert.deepStrictEqual(
          maps.map(({ dataQuality, mapName, playerStats }) => [mapName, playerStats.length, dataQuality]),
          [
            ["de_mirage", 10, "complete"],
            ["de_inferno", 10, "complete"],
            ["de_train", 0, "complete"],
          ],
        )
        assert.strictEqual(dataAs(Schema.Array(Demo))(yield* get(match(deep, "/demos")))[0]?.url, "https://demos.example/1001.dem")
        const none = yield* get(match(forfeit, "/games"))
        assert.deepStrictEqual([none.data, none.meta?.["dataAvailable"], none.meta?.["unavailableReason"]], [[], false, "not_yet_indexed"])
        assert.isTrue(dataAs(MatchDetail)(yield* get(match(forfeit))).isForfeit)
      }),
    )

    it.effect("answers the same under both names of a path", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const id = `cs2-match-${deep}-map-1`
        const [stats, ...others] = [
          yield* get(`/cs2/games/${id}/stats`),
          yield* get(`/cs2/games/${id}/player-stats`),
          yield* get(`/cs2/maps/${id}/stats`),
          yield* get(`/cs2/maps/${id}/player-stats`),
        ]
        assert.strictEqual(lines(stats ?? assert.fail("no answer")).length, 10)
        for (const other of others) assert.strictEqual(other.text, stats?.text)
        for (const map of [1, 2]) {
          const response = yield* get(game(map, "/rounds"))
          assert.strictEqual(response.status, 200)
          assert.strictEqual((yield* get(`/cs2/maps/cs2-match-${deep}-map-${map}/rounds`)).text, response.text)
        }
      }),
    )

    it.effect("returns a map with its detail, its rounds or the reason for their absence, and its events", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const response = yield* get(game(1))
        assert.deepInclude(dataAs(Game)(response), { map: "de_mirage", resultType: "played", resultStatus: "final", statsEligible: true })
        assert.deepStrictEqual(response.meta, { dataAvailable: true, source: "sample" })
        assert.deepStrictEqual((yield* get(game(3))).meta, { dataAvailable: false, source: "sample" })
        assert.strictEqual(rounds(yield* get(game(1, "/rounds"))).length, 20)
        const missing = yield* get(game(2, "/rounds"))
        assert.strictEqual(dataAs(RoundsUnavailable)(missing).unavailableReason, "not_yet_indexed")
        assert.deepInclude(missing.meta, { count: 0, total: 0, dataAvailable: false })
        const happened = yield* get(game(1, "/events"))
        assert.strictEqual(events(happened)[1]?.payload["playerNick"], "p201")
        assert.deepInclude(happened.meta, { source: "sample", dataScope: "parsed_demo", dataAvailable: true })
        const known = ["Kill", "BombPlanted", "RoundEnd"]
        assert.deepStrictEqual(
          happened.meta?.["unavailableEventTypes"],
          GameEventType.literals.filter((type) => !known.includes(type)),
        )
        assert.deepStrictEqual(
          events(yield* get(game(1, "/events?type=Kill&round=1"))).map(({ weapon }) => weapon),
          ["ak47"],
        )
        assert.deepInclude((yield* get(game(2, "/events"))).meta, { source: null, dataScope: "none", dataAvailable: false })
      }),
    )

    it.effect("compares two teams", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const decoded = dataAs(TeamsHeadToHead)(yield* get("/cs2/head-to-head?team1=team-bravo&team2=cs2-team-1"))
        assert.deepInclude(decoded, { matches: 1, team1Wins: 0, team2Wins: 1, mapsPlayed: 3, team1MapWins: 1, team2MapWins: 2 })
        // No match between them is within the plan's history.
        assert.strictEqual(dataAs(TeamsHeadToHead)(yield* get("/cs2/head-to-head?team1=cs2-team-1&team2=cs2-team-2", "free")).matches, 0)
        assert.strictEqual((yield* get("/cs2/head-to-head?team1=cs2-team-1&team2=nobody")).status, 404)
        assert.strictEqual((yield* get("/cs2/head-to-head?team1=cs2-team-1&team2=alpha-wolves")).status, 400)
        assert.strictEqual((yield* get("/cs2/head-to-head?team1=cs2-team-1")).status, 400)
      }),
    )

    it.effect("starts lists at the plan's history and answers 403 to older matches", () =>
      Effect.gen(function* () {
        const { get, now } = yield* ArchiveStack
        assert.deepStrictEqual(numbers(yield* get("/cs2/matches/recent", "free")), [forfeit, winnerOnly])
        assert.deepStrictEqual(numbers(yield* get("/cs2/matches/recent", "starter")), [forfeit, winnerOnly, deep])
        assert.deepInclude((yield* get("/cs2/matches", "free")).meta, { total: 4 })
        const older = daysBefore(now, 31)
        const below = ["", "/player-stats", "/games", "/maps", "/demos"].map((rest) => match(deep, rest))
        const ofMap = ["", "/stats", "/rounds", "/events"].map((rest) => game(1, rest))
        for (const path of [...below, ...ofMap, `/cs2/maps/cs2-match-${deep}-map-1/rounds`, `/cs2/matches?from=${older}`]) {
          const refused = yield* get(path, "free")
          assert.strictEqual(refused.status, 403, path)
          assert.strictEqual(refused.error?.code, "HISTORY_LIMIT", path)
          assert.deepInclude(refused.error?.details, { plan: "free", historyDays: 30, needs: "starter" })
          assert.strictEqual((yield* get(path, "starter")).status, 200, path)
        }
        assert.strictEqual((yield* get(match(old), "starter")).status, 403)
      }),
    )

    it.effect("answers 404 to unknown matches and 400 to invalid requests", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        for (const rest of ["", "/player-stats", "/games", "/maps", "/demos"]) {
          assert.strictEqual((yield* get(match(9_999, rest))).error?.code, "NOT_FOUND", rest)
        }
        for (const rest of ["", "/stats", "/player-stats", "/rounds", "/events"]) {
          assert.strictEqual((yield* get(game(9, rest))).error?.code, "NOT_FOUND", rest)
        }
        for (const path of [
          "/cs2/matches/1001",
          "/cs2/games/cs2-match-1001",
          "/cs2/matches?status=finished",
          "/cs2/matches/recent?limit=0",
          "/cs2/matches/recent?from=yesterday",
          "/cs2/matches/recent?tier=Z",
          "/cs2/matches/recent?team=%00",
          game(1, "/events?type=Dance"),
        ]) {
          assert.strictEqual((yield* get(path)).error?.code, "VALIDATION_ERROR", path)
        }
      }),
    )

    it.effect("answers 304 to a matching entity tag", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        for (const path of ["/cs2/matches", match(deep), match(deep, "/maps"), game(1), game(1, "/rounds")]) {
          const etag = (yield* get(path)).headers.get("etag") ?? assert.fail(path)
          const again = yield* get(path, "pro", { "if-none-match": etag })
          assert.deepStrictEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag], path)
        }
      }),
    )
  })
}
