/** Checks that no tennis endpoint scans a large table, with the plans that a session makes once for all values. */
import { assert, layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import type { ForeignCursor } from "@matchpoint/store/paging/listReader"
import type { StoreError } from "@matchpoint/store/StoreError"
import { postgresDatabase } from "@matchpoint/testing/databases"
import { largeScans, plansOf } from "@matchpoint/testing/explain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { describe, inject, it } from "vitest"
import { TennisCoverage } from "../../src/archive/content/TennisCoverage.ts"
import { TennisHeadToHeads } from "../../src/archive/h2h/TennisHeadToHeads.ts"
import { Leaderboards } from "../../src/archive/leaderboards/Leaderboards.ts"
import { TennisMatchArchive } from "../../src/archive/matches/TennisMatchArchive.ts"
import { PlayerCareers } from "../../src/archive/players/PlayerCareers.ts"
import { PlayerDirectory } from "../../src/archive/players/PlayerDirectory.ts"
import { RankingMoves } from "../../src/archive/rankings/RankingMoves.ts"
import { TennisRankings } from "../../src/archive/rankings/TennisRankings.ts"
import { TennisSummaries } from "../../src/archive/summaries/TennisSummaries.ts"
import { TennisArchive } from "../../src/archive/TennisArchive.ts"
import { TennisArchiveWriter } from "../../src/archive/TennisArchiveWriter.ts"
import { TournamentArchive } from "../../src/archive/tournaments/TournamentArchive.ts"
import { TournamentMatches } from "../../src/archive/tournaments/TournamentMatches.ts"
import { copyTennisRows, largeTennisTables } from "./fixtures/largeTennis.ts"
import { rankedTennis } from "./fixtures/rankedTennis.ts"
import { importTennisFiles } from "./fixtures/tennisFiles.ts"

const NOW = Date.UTC(2024, 5, 12, 12)

const filled = (driver: ReturnType<typeof postgresDatabase>) =>
  Layer.effectDiscard(Effect.andThen(importTennisFiles(rankedTennis(NOW)), copyTennisRows)).pipe(
    Layer.provideMerge(Layer.mergeAll(TennisArchive.layer, TennisArchiveWriter.layer, TennisSummaries.layer)),
    Layer.provide(Migrations.layer),
    Layer.provideMerge(driver),
  )

const page = { limit: 50, offset: 0 }
const since = undefined
const atp = "atp" as const

const matchLists = Effect.map(TennisMatchArchive, ({ completed, find, list, recent }) => ({
  all: list({}, page),
  later: list({}, { limit: 50, offset: 9_000 }),
  ofPlayer: list({ playerId: "atp_1" }, page),
  ofPair: list({ playerId: "atp_1", opponentId: "atp_2" }, page),
  ofTour: list({ tour: atp }, page),
  ofYear: list({ year: 2019 }, page),
  ofSurface: list({ surface: "Clay" }, page),
  ofLevel: list({ level: "A" }, page),
  ofRound: list({ round: "F" }, page),
  ofCircuit: list({ circuit: "futures" }, page),
  ofTournament: list({ tournament: "Clay Open" }, page),
  ofHistory: list({ since: "2024-05-01" }, page),
  recent: recent(undefined, undefined, page),
  recentOfTour: recent(atp, "2024-05-01", page),
  completed: completed("2019-01-01", page),
  one: find("atp-tour-2019-10-1"),
}))

const playerLists = Effect.gen(function* () {
  const players = yield* PlayerDirectory
  const { profile, stats } = yield* PlayerCareers
  const orders = ["fame", "matches", "name", "rank"] as const
  return {
    ...Object.fromEntries(orders.map((order) => [order, players.list({ ...page, order, since })])),
    ...Object.fromEntries(orders.map((order) => [`${order}, one tour`, players.list({ ...page, order, since, tour: atp })])),
    named: players.list({ ...page, order: "fame", since, text: "able" }),
    search: players.search({ text: "abel", limit: 10, since }),
    batch: players.byIds(["atp_1", "atp_2"], since),
    profile: profile("atp_1", since),
    stats: stats("atp_1", { since }),
    statsOfYears: stats("atp_1", { since: "2019-01-01", yearFrom: 2018, yearTo: 2020, surface: "Clay" }),
  }
})

const rankingLists = Effect.gen(function* () {
  const rankings = yield* TennisRankings
  const { between } = yield* RankingMoves
  const boards = yield* Leaderboards
  const { newest } = yield* rankings.find(atp)
  if (newest === null) return assert.fail("no list")
  return {
    find: rankings.find(atp, "2019-05-13"),
    neighbours: rankings.neighbours(atp, "2019-05-10"),
    list: rankings.list(atp, newest, page),
    weeks: rankings.weeks({ ...page, tour: atp }),
    weeksOfYear: rankings.weeks({ ...page, tour: atp, year: 2019 }),
    history: rankings.history({ ...page, playerId: "atp_1" }),
    movers: between(atp, "2019-05-13", "2019-05-06", page),
    board: boards.board({ ...page, board: "aces", tour: atp, season: 2019 }),
    newestSeason: boards.newestSeason(atp),
  }
})

const tournamentLists = Effect.gen(function* () {
  const tournaments = yield* TournamentArchive
  const { all, ofDay, schedule } = yield* TournamentMatches
  const { meetings, players, wins } = yield* TennisHeadToHeads
  const clayOpen = { tour: atp, tournamentId: "2019-10" }
  return {
    list: tournaments.list({ ...page, order: "newest" }),
    ofTour: tournaments.list({ ...page, order: "earliest", tour: atp }),
    named: tournaments.list({ ...page, order: "newest", text: "clay" }),
    competitions: tournaments.competitions(page),
    competitionsNamed: tournaments.competitions({ ...page, text: "clay" }),
    find: tournaments.find("atp_2019-10"),
    inYear: tournaments.inYear("atp_10", 2019),
    years: tournaments.years("atp_10", undefined),
    startingOn: tournaments.startingOn("2019-01-01", undefined),
    draw: all(clayOpen),
    schedule: schedule(clayOpen, page),
    day: ofDay({ ...page, day: "2024-06-02" }),
    dayOfTour: ofDay({ ...page, day: "2024-06-02", tour: atp }),
    compared: players(["atp_1", "atp_2"], since),
    meetings: meetings("atp_1", "atp_2", { since }),
    wins: wins(["atp_1", "atp_2", "atp_3"], since),
  }
})

const contents = Effect.map(TennisCoverage, ({ coverage, newest, sync }) => ({ coverage, newest, sync }))

const sections = { matchLists, playerLists, rankingLists, tournamentLists, contents }

const databaseUrl = inject("databaseUrl")
if (databaseUrl === null) {
  describe("query plans of tennis", () =>
    it.skip("needs a PostgreSQL server: set DATABASE_URL to a database whose user may create databases", () => undefined))
} else {
  layer(filled(postgresDatabase(databaseUrl)), { timeout: "2 minutes" })("query plans of tennis", (it) => {
    for (const [name, section] of Object.entries(sections)) {
      it.effect(`${name} read no large table from end to end`, () =>
        Effect.gen(function* () {
          const wrong: Array<string> = []
          for (const [question, read] of Object.entries<Effect.Effect<unknown, StoreError | ForeignCursor>>(yield* section)) {
            const plans = yield* plansOf(read, true)
            assert.isNotEmpty(plans, question)
            for (const scan of largeScans(plans, largeTennisTables)) wrong.push(`${question}: ${scan}`)
          }
          assert.deepStrictEqual(wrong, [])
        }),
      )
    }

    it.effect("a full scan is detected", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const plans = yield* plansOf(sql`SELECT sum(minutes) FROM tennis_matches WHERE minutes > ${3}`, true)
        assert.strictEqual(largeScans(plans, largeTennisTables).length, 1)
      }),
    )
  })
}
