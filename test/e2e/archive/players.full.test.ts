/**
 * Tests players over HTTP: filters and order of the list, and a player's profile, map statistics, career and seasons.
 * Expected numbers are counted by hand.
 */
import { assert, it } from "@effect/vitest"
import { Player } from "@matchpoint/cs2/contract/http/data/models"
import { PlayerCareer, PlayerProfile, PlayerSeasons, PlayerStats } from "@matchpoint/cs2/contract/http/data/playerModels"
import { Effect, Schema } from "effect"
import { inject } from "vitest"
import { type ArchiveResponse, ArchiveStack, archiveStacks, dataAs, daysFrom } from "../../fixtures/archiveStack.ts"

const players = dataAs(Schema.Array(Player))
const stats = dataAs(PlayerStats)
const career = dataAs(PlayerCareer)
const seasons = dataAs(PlayerSeasons)
const names = (response: ArchiveResponse) => players(response).map(({ nickname }) => nickname)

const numbers = (ofTeam: number) => [1, 2, 3, 4, 5].map((n) => `p${ofTeam * 100 + n}`)

/**
 * Totals of p101: 19 kills and 11 deaths on each of two maps of 20 and 23 rounds, one of them won. Only the first map
 * has complete data.
 */
const totals = {
  maps: 2,
  mapWins: 1,
  mapLosses: 1,
  mapWinRate: 0.5,
  rounds: 43,
  kills: 38,
  deaths: 22,
  assists: 10,
  plusMinus: 16,
  kdRatio: 1.73,
  killsPerRound: 0.88,
  deathsPerRound: 0.51,
  headshots: 9,
  headshotPercent: 0.4737,
  firstKills: 4,
  firstDeaths: 1,
  openingDuelSuccessRate: 0.8,
  adr: 81,
  kast: 0.7,
  rating: 1.2,
  ratingVersion: "svc_rating_1",
  flashAssists: 1,
  utilityDamage: 40,
  clutchAttempts: 3,
  clutchesWon: 2,
} as const
const record = { matches: 2, matchWins: 1, matchLosses: 1, matchWinRate: 0.5 } as const

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl")))) {
  it.layer(stack, { timeout: "60 seconds", excludeTestServices: true })(`players on ${database}`, (it) => {
    it.effect("orders, filters and pages the list", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const listed = (query: string) => Effect.map(get(`/cs2/players?${query}`), names)
        assert.deepStrictEqual(yield* listed("limit=10"), [...numbers(1), ...numbers(2)])
        assert.deepStrictEqual(yield* listed("min_maps=1"), [...numbers(1), ...numbers(2)])
        assert.deepStrictEqual(yield* listed("sort=rating&limit=3"), ["p101", "p102", "p103"])
        assert.deepStrictEqual(yield* listed("sort=name&limit=3&offset=1"), ["p101", "p102", "p103"])
        assert.deepStrictEqual(yield* listed("team=delta"), numbers(4))
        assert.deepStrictEqual(yield* listed("team=cs2-team-1&country=se"), numbers(1))
        assert.deepStrictEqual(yield* listed("team=nobody"), [])
        assert.deepStrictEqual(yield* listed("q=P30"), numbers(3))
        const { meta } = yield* get("/cs2/players?limit=1000&page=1")
        assert.deepStrictEqual(meta, {
          count: 21,
          limit: 100,
          total: 21,
          page: 1,
          totalPages: 1,
          hasNext: false,
          hasPrev: false,
          nextCursor: null,
        })
      }),
    )

    it.effect("finds a player by id and by slug, with results limited to the plan's history", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const byId = yield* get("/cs2/players/cs2-player-101")
        assert.strictEqual(byId.text, (yield* get("/cs2/players/P101")).text)
        const profile = dataAs(PlayerProfile)(byId)
        assert.deepStrictEqual([profile.nickname, profile.realName, profile.team?.slug], ["p101", "Player 101", "alpha-wolves"])
        assert.deepStrictEqual(profile.stats, { ...record, ...totals })
        assert.deepStrictEqual(
          profile.recentMatches.map(({ id }) => id as string),
          ["cs2-match-1002", "cs2-match-1001"],
        )
        const month = dataAs(PlayerProfile)(yield* get("/cs2/players/p101", "free"))
        assert.deepInclude(month.stats, { matches: 1, matchLosses: 1, maps: 0, rating: null, kdRatio: null, headshots: null })
        assert.strictEqual(month.recentMatches.length, 1)
        const coach = dataAs(PlayerProfile)(yield* get("/cs2/players/coach"))
        assert.deepInclude(coach, { status: "coach", rating: null, recentMatches: [] })
      }),
    )

    it.effect("returns map statistics newest first, by page, which add up to the totals", () =>
      Effect.gen(function* () {
        const { get, now } = yield* ArchiveStack
        const response = yield* get("/cs2/players/p101/stats")
        const all = stats(response)
        assert.deepStrictEqual(all.totals, totals)
        assert.deepStrictEqual(
          all.maps.map(({ kills, mapId, mapNameCanonical, rounds }) => [mapId as string, mapNameCanonical, rounds, kills]),
          [
            ["cs2-match-1001-map-2", "de_inferno", 23, 19],
            ["cs2-match-1001-map-1", "de_mirage", 20, 19],
          ],
        )
        assert.deepStrictEqual(response.meta, {
          count: 2,
          limit: 50,
          total: 2,
          page: 1,
          totalPages: 1,
          hasNext: false,
          hasPrev: false,
          nextCursor: null,
        })
        const second = yield* get("/cs2/players/p101/stats?limit=1&page=2")
        assert.deepStrictEqual(stats(second).maps, all.maps.slice(1))
        assert.deepStrictEqual(stats(second).totals, totals)
        assert.deepInclude(second.meta, { count: 1, total: 2, page: 2, hasPrev: true, hasNext: false })
        const mirage = stats(yield* get("/cs2/players/p101/stats?map=de_mirage&team=alpha-wolves"))
        assert.deepInclude(mirage.totals, { maps: 1, mapWins: 1, mapLosses: 0, kills: 19, headshots: 9 })
        const inferno = stats(yield* get("/cs2/players/p101/stats?map=de_inferno"))
        assert.deepInclude(inferno.totals, { headshots: null, headshotPercent: null, openingDuelSuccessRate: null, clutchesWon: null })
        for (const query of ["team=delta", `from=${daysFrom(now, -1)}`])
          assert.deepInclude(stats(yield* get(`/cs2/players/p101/stats?${query}`)), {
            dataAvailable: false,
            unavailableReason: "not_yet_indexed",
            maps: [],
          })
        assert.strictEqual((yield* get("/cs2/players/p101/stats?limit=500")).meta?.["limit"], 100)
      }),
    )

    it.effect("returns a career by team, map and event", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const decoded = career(yield* get("/cs2/players/p101/career"))
        assert.deepStrictEqual(decoded.totals, { ...record, ...totals })
        assert.strictEqual(decoded.teams.length, 1)
        assert.deepInclude(decoded.teams[0] ?? {}, { teamName: "Alpha Wolves", ...record, ...totals })
        assert.deepStrictEqual([decoded.teams[0]?.firstMatchAt, decoded.teams[0]?.lastMatchAt], [decoded.firstMatchAt, decoded.lastMatchAt])
        assert.deepStrictEqual(
          decoded.maps.map(({ kills, mapName, mapWins }) => [mapName, mapWins, kills]),
          [
            ["de_inferno", 0, 19],
            ["de_mirage", 1, 19],
          ],
        )
        assert.deepStrictEqual(
          decoded.events.map(({ eventName, matchWins, matches, placement }) => [eventName, placement, matches, matchWins]),
          [
            ["Open League", null, 1, 0],
            ["Winter Cup 2026", "1", 1, 1],
          ],
        )
        // These matches have no player statistics. They are counted, and their numbers stay null.
        const old = career(yield* get("/cs2/players/p301/career"))
        assert.deepInclude(old.totals, { matches: 2, matchWins: 1, maps: 0, kills: 0, rating: null, adr: null })
        const none = career(yield* get("/cs2/players/p401/career"))
        assert.deepInclude(none, { dataAvailable: false, unavailableReason: "not_yet_indexed", firstMatchAt: null, teams: [] })
      }),
    )

    it.effect("returns seasons that add up to the career", () =>
      Effect.gen(function* () {
        const { get, now } = yield* ArchiveStack
        const decoded = seasons(yield* get("/cs2/players/p201/seasons"))
        const yearOf = (days: number) => Number(daysFrom(now, days).slice(0, 4))
        assert.deepStrictEqual(
          decoded.seasons.map(({ season }) => season),
          [...new Set([yearOf(-40), yearOf(-400)])],
        )
        assert.strictEqual(
          decoded.seasons.reduce((sum, { matches }) => sum + matches, 0),
          2,
        )
        assert.strictEqual(
          decoded.seasons.reduce((sum, { kills }) => sum + kills, 0),
          30,
        )
        assert.deepStrictEqual(
          decoded.seasons[0]?.teams.map(({ teamName }) => teamName),
          ["Team Bravo"],
        )
        assert.deepStrictEqual(seasons(yield* get("/cs2/players/p201/seasons", "free")).seasons, [])
      }),
    )

    it.effect("answers 404 to unknown players, 400 to invalid requests, 403 beyond the history and 304 if nothing has changed", () =>
      Effect.gen(function* () {
        const { get, now } = yield* ArchiveStack
        for (const below of ["", "/stats", "/career", "/seasons"])
          for (const name of ["nobody", "cs2-player-7"]) {
            const response = yield* get(`/cs2/players/${name}${below}`)
            assert.deepStrictEqual([response.status, response.error?.code], [404, "NOT_FOUND"], `${name}${below}`)
          }
        for (const path of ["/a!b", "?limit=x", "?min_maps=-1", "?sort=age", "?team=a!b", "/p101/stats?from=x"])
          assert.strictEqual((yield* get(`/cs2/players${path}`)).status, 400, path)
        const old = daysFrom(now, -31)
        assert.strictEqual((yield* get(`/cs2/players/p101/stats?from=${old}`, "free")).error?.code, "HISTORY_LIMIT")
        for (const below of ["", "/stats", "/career", "/seasons"]) {
          const first = yield* get(`/cs2/players/p101${below}`)
          const again = yield* get(`/cs2/players/p101${below}`, "pro", { "if-none-match": first.headers.get("etag") ?? "" })
          assert.strictEqual(again.status, 304, below)
        }
      }),
    )
  })
}
