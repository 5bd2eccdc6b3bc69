/**
 * Tests teams over HTTP: filters and order of the list, a team's profile, and its trends. Expected numbers are counted
 * by hand.
 */
import { assert, it } from "@effect/vitest"
import { Team } from "@matchpoint/cs2/contract/http/data/models"
import { TeamProfile, TeamTrends } from "@matchpoint/cs2/contract/http/data/teamModels"
import { Effect, Schema } from "effect"
import { inject } from "vitest"
import { type ArchiveResponse, ArchiveStack, archiveStacks, dataAs, daysFrom } from "../../fixtures/archiveStack.ts"

const teams = dataAs(Schema.Array(Team))
const profile = dataAs(TeamProfile)
const trends = dataAs(TeamTrends)
const slugs = (response: ArchiveResponse) => teams(response).map(({ slug }) => slug)
const allSlugs = ["alpha-wolves", "team-bravo", "carodejove", "delta"]

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl")))) {
  it.layer(stack, { timeout: "60 seconds", excludeTestServices: true })(`teams on ${database}`, (it) => {
    it.effect("orders, filters and pages the list", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const listed = (query: string) => Effect.map(get(`/cs2/teams?${query}`), slugs)
        assert.deepStrictEqual(yield* listed(""), allSlugs)
        // The position of an accented letter depends on the database's collation.
        assert.deepStrictEqual(
          (yield* listed("sort=name")).filter((slug) => slug !== "carodejove"),
          ["alpha-wolves", "delta", "team-bravo"],
        )
        assert.deepStrictEqual(yield* listed("region=Europe"), ["alpha-wolves", "carodejove"])
        assert.deepStrictEqual(yield* listed("country=se"), ["alpha-wolves"])
        assert.deepStrictEqual(yield* listed("ranked=true"), allSlugs.slice(0, 3))
        assert.deepStrictEqual(yield* listed("ranked=no"), ["delta"])
        assert.deepStrictEqual(yield* listed("q=BRAV"), ["team-bravo"])
        assert.deepStrictEqual(yield* listed(`q=${encodeURIComponent("Čaro")}`), ["carodejove"])
        assert.deepStrictEqual(yield* listed("q=de"), ["delta"])
        assert.deepStrictEqual(yield* listed("q=%25"), [])
        assert.deepStrictEqual(yield* listed("limit=2&page=2"), allSlugs.slice(2))
        assert.deepStrictEqual(yield* listed("limit=2&offset=1"), allSlugs.slice(1, 3))
        const { meta } = yield* get("/cs2/teams?limit=101")
        assert.deepStrictEqual(meta, {
          count: 4,
          limit: 100,
          total: 4,
          page: 1,
          totalPages: 1,
          hasNext: false,
          hasPrev: false,
          nextCursor: null,
        })
      }),
    )

    it.effect("finds a team by id and by slug", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const byId = yield* get("/cs2/teams/cs2-team-1")
        assert.strictEqual(byId.text, (yield* get("/cs2/teams/alpha-wolves")).text)
        assert.strictEqual(byId.text, (yield* get("/cs2/teams/Alpha-Wolves")).text)
        const { roster, worldRanking, country } = { ...profile(byId), country: profile(byId).countryCode }
        assert.deepStrictEqual([worldRanking, country], [1, "SE"])
        assert.deepStrictEqual(
          roster.players.map(({ nickname }) => nickname),
          ["p101", "p102", "p103", "p104", "p105"],
        )
        assert.strictEqual(roster.coach?.nickname, "Coach.")
        assert.deepStrictEqual(roster.inactive, [])
      }),
    )

    it.effect("limits results to the plan's history", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const all = profile(yield* get("/cs2/teams/alpha-wolves"))
        assert.deepStrictEqual(all.form, { results: ["W", "L", "W"], wins: 2, losses: 1, winRate: 0.6667, streak: 1 })
        // Maps: 13:7, 10:13, 13:11. The maps of 20 and 23 rounds have ratings, 1.2 + 1.1 + 1.0 + 0.9 + 0.8 each. The
        // forfeit counts as a match, not as a map.
        assert.deepStrictEqual(all.stats, {
          matches: 3,
          matchWins: 2,
          matchLosses: 1,
          matchWinRate: 0.6667,
          maps: 3,
          mapWins: 2,
          mapLosses: 1,
          mapWinRate: 0.6667,
          roundsFor: 36,
          roundsAgainst: 31,
          roundWinRate: 0.5373,
          rating: 1,
        })
        assert.deepStrictEqual(
          all.recentMatches.map(({ id }) => id as string),
          ["cs2-match-1006", "cs2-match-1002", "cs2-match-1001"],
        )
        assert.deepStrictEqual(
          all.upcomingMatches.map(({ id }) => id as string),
          ["cs2-match-1003"],
        )
        const month = profile(yield* get("/cs2/teams/alpha-wolves", "free"))
        assert.deepStrictEqual(month.form.results, ["W", "L"])
        assert.deepInclude(month.stats, { matches: 2, maps: 0, mapWinRate: null, rating: null })
        const delta = profile(yield* get("/cs2/teams/delta"))
        assert.deepStrictEqual(delta.form, { results: ["L"], wins: 0, losses: 1, winRate: 0, streak: -1 })
        assert.deepStrictEqual(profile(yield* get("/cs2/teams/team-bravo")).form, {
          results: ["L", "W"],
          wins: 1,
          losses: 1,
          winRate: 0.5,
          streak: -1,
        })
      }),
    )

    it.effect("returns trends that add up to the record, by month and by quarter", () =>
      Effect.gen(function* () {
        const { get, now } = yield* ArchiveStack
        for (const unit of ["month", "quarter"] as const) {
          const decoded = trends(yield* get(`/cs2/teams/alpha-wolves/trends?unit=${unit}`))
          assert.deepInclude(decoded, { unit, dataAvailable: true, unavailableReason: null, teamName: "Alpha Wolves" })
          const sum = (field: "matches" | "matchWins" | "maps" | "roundsFor") =>
            decoded.periods.reduce((all, period) => all + period[field], 0)
          assert.deepStrictEqual([sum("matches"), sum("matchWins"), sum("maps"), sum("roundsFor")], [3, 2, 3, 36])
          const starts = decoded.periods.map(({ startsAt }) => startsAt)
          assert.deepStrictEqual(starts, [...starts].sort())
          const at = daysFrom(now, -40)
          const [first] = decoded.periods
          assert.strictEqual(
            first?.period,
            unit === "month" ? at.slice(0, 7) : `${at.slice(0, 4)}-Q${Math.ceil(Number(at.slice(5, 7)) / 3)}`,
          )
          assert.deepStrictEqual(
            decoded.maps.map(({ mapName, mapWinRate, maps, picked, roundsAgainst, roundsFor }) => [
              mapName,
              maps,
              mapWinRate,
              roundsFor,
              roundsAgainst,
              picked,
            ]),
            [
              ["de_inferno", 1, 0, 10, 13, 0],
              ["de_mirage", 1, 1, 13, 7, 1],
              ["de_train", 1, 1, 13, 11, 0],
            ],
          )
        }
        const from = daysFrom(now, -20)
        const late = trends(yield* get(`/cs2/teams/cs2-team-1/trends?from=${from}`))
        assert.deepStrictEqual([late.periods.reduce((all, { matches }) => all + matches, 0), late.maps], [2, []])
        assert.deepInclude(trends(yield* get("/cs2/teams/cs2-team-2/trends", "free")), {
          dataAvailable: false,
          unavailableReason: "not_yet_indexed",
          periods: [],
        })
      }),
    )

    it.effect("answers 404 to unknown teams, 400 to invalid requests, 403 beyond the history and 304 if nothing has changed", () =>
      Effect.gen(function* () {
        const { get, now } = yield* ArchiveStack
        for (const path of ["/cs2-team-99", "/nobody", "/nobody/trends"]) {
          const response = yield* get(`/cs2/teams${path}`)
          assert.deepStrictEqual([response.status, response.error?.code], [404, "NOT_FOUND"], path)
        }
        for (const path of ["/a!b", "?limit=0", "?country=Sweden", "?sort=age", "/delta/trends?unit=day", "/delta/trends?from=x"])
          assert.strictEqual((yield* get(`/cs2/teams${path}`)).status, 400, path)
        const old = daysFrom(now, -31)
        assert.strictEqual((yield* get(`/cs2/teams/delta/trends?from=${old}`, "free")).error?.code, "HISTORY_LIMIT")
        const first = yield* get("/cs2/teams/delta")
        assert.strictEqual((yield* get("/cs2/teams/delta", "pro", { "if-none-match": first.headers.get("etag") ?? "" })).status, 304)
      }),
    )
  })
}
