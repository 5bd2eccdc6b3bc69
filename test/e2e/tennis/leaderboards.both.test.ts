/** Tests leaderboards, coverage, health and announced odds over HTTP, on an archive whose numbers were counted by hand. */
import { assert, layer } from "@effect/vitest"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect } from "effect"
import { daysAgo, rankedTennis, recentSeason } from "../../../packages/tennis/test/archive/fixtures/rankedTennis.ts"
import { TennisStack } from "../../fixtures/tennis/tennisStack.ts"

interface Row {
  readonly rank: number
  readonly player: { readonly id: string }
  readonly value: number
  readonly numerator: number
  readonly denominator: number
}

const lines = (rows: ReadonlyArray<Row>) =>
  rows.map(({ denominator, numerator, player, rank, value }) => [rank, player.id, value, numerator, denominator])

/** Rank, player, value, numerator and denominator of each row of the boards of 2019. */
const boards2019: Readonly<Record<string, ReadonlyArray<ReadonlyArray<unknown>>>> = {
  aces: [
    [1, "atp_1", 10, 10, 1],
    [2, "atp_2", 3, 3, 1],
  ],
  "1st-serve-won": [
    [1, "atp_1", 0.8, 400, 500],
    [2, "atp_2", 0.6667, 300, 450],
  ],
  "break-conversion": [
    [1, "atp_1", 0.4286, 30, 70],
    [2, "atp_2", 0.1667, 10, 60],
  ],
  "break-points-saved": [
    [1, "atp_1", 0.8333, 50, 60],
    [2, "atp_2", 0.5714, 40, 70],
  ],
  "comeback-wins": [
    [1, "atp_1", 2, 2, 5],
    [2, "atp_3", 1, 1, 1],
  ],
  "deciding-set-record": [[1, "atp_1", 0.8, 4, 5]],
  "finals-record": [
    [1, "atp_1", 0.5, 1, 2],
    [1, "atp_3", 0.5, 1, 2],
  ],
  "return-games-won": [
    [1, "atp_1", 0.2143, 30, 140],
    [2, "atp_2", 0.0667, 10, 150],
  ],
  "tiebreak-win-pct": [
    [1, "atp_1", 0.8, 8, 10],
    [2, "atp_4", 0.3333, 3, 9],
  ],
}

onDatabaseOfRun((driver, database) => {
  layer(TennisStack.layer(database, rankedTennis), { timeout: "60 seconds", excludeTestServices: true })(
    `tennis leaderboards and coverage, ${driver}`,
    (it) => {
      it.effect("count only what the definition of each board states", () =>
        Effect.gen(function* () {
          const { get } = yield* TennisStack
          for (const [board, expected] of Object.entries(boards2019)) {
            const { data, meta } = yield* get(`/leaderboards/${board}?tour=ATP&year=2019`)
            assert.deepStrictEqual(lines(data), expected, board)
            assert.deepInclude(meta, { board, tour: "ATP", year: 2019, surface: null, total: expected.length })
          }
        }),
      )

      it.effect("state the formula, the minimum sample and the played matches", () =>
        Effect.gen(function* () {
          const { get } = yield* TennisStack
          const { data, meta } = yield* get("/leaderboards/finals-record?year=2019&limit=1")
          assert.deepStrictEqual(data, [
            { rank: 1, player: { id: "atp_1", name: "Al Able", country: "USA" }, value: 0.5, numerator: 1, denominator: 2, matches: 8 },
          ])
          assert.deepInclude(meta, { unit: "share", formula: "finals won / finals", limit: 1, total: 2, hasNext: true })
          assert.deepStrictEqual(meta.minimum_sample, { denominator: 2, of: "finals" })
          assert.deepStrictEqual(lines((yield* get("/leaderboards/finals-record?year=2019&limit=1&page=2")).data), [
            [1, "atp_3", 0.5, 1, 2],
          ])
          const beyond = yield* get("/leaderboards/aces?year=2019&page=9")
          assert.deepStrictEqual([beyond.data, beyond.meta.total], [[], 2])
          assert.strictEqual((yield* get("/leaderboards/aces?limit=1000")).meta.limit, 100)
        }),
      )

      it.effect("filter by surface in any case, and list valid surfaces for an unknown one", () =>
        Effect.gen(function* () {
          const { get } = yield* TennisStack
          const clay = yield* get("/leaderboards/tiebreak-win-pct?year=2019&surface=CLAY")
          assert.deepStrictEqual(
            [lines(clay.data), clay.meta.surface],
            [
              [
                [1, "atp_1", 0.7778, 7, 9],
                [2, "atp_4", 0.3333, 3, 9],
              ],
              "Clay",
            ],
          )
          assert.deepStrictEqual((yield* get("/leaderboards/finals-record?year=2019&surface=clay")).data, [])
          const { error, status } = yield* get("/leaderboards/aces?surface=ice")
          assert.deepStrictEqual([status, error.code], [422, "UNKNOWN_VALUE"])
          assert.deepStrictEqual(error.details, { parameter: "surface", value: "ice", valid: ["Carpet", "Clay", "Grass", "Hard"] })
        }),
      )

      it.effect("use the newest season by default, and count only matches within the plan's history", () =>
        Effect.gen(function* () {
          const { get, now } = yield* TennisStack
          const all = yield* get("/leaderboards/aces")
          assert.deepStrictEqual(
            [all.meta.year, lines(all.data)],
            [
              recentSeason(now),
              [
                [1, "atp_1", 27, 27, 2],
                [2, "atp_2", 6, 6, 2],
              ],
            ],
          )
          assert.deepStrictEqual(lines((yield* get("/leaderboards/aces", "starter")).data), lines(all.data))
          const free = yield* get("/leaderboards/aces", "free")
          assert.deepStrictEqual(lines(free.data), [
            [1, "atp_1", 7, 7, 1],
            [2, "atp_2", 5, 5, 1],
          ])
          assert.deepStrictEqual((yield* get("/leaderboards/aces?surface=Grass", "free")).data, [])
          assert.strictEqual((yield* get("/leaderboards/aces?surface=Grass", "starter")).data.length, 2)
          for (const path of ["/leaderboards/aces?year=2019", "/leaderboards/aces?tour=WTA"]) {
            const { error, status } = yield* get(path, "free")
            assert.deepStrictEqual([status, error.code], [403, "HISTORY_LIMIT"], path)
          }
          assert.deepStrictEqual((yield* get("/leaderboards/aces?year=1900")).data, [])
        }),
      )

      it.effect("reject unknown boards and invalid parameters", () =>
        Effect.gen(function* () {
          const { get } = yield* TennisStack
          for (const path of [
            "/leaderboards/serves",
            "/leaderboards/aces?year=x",
            "/leaderboards/aces?tour=ITF",
            "/leaderboards/aces?limit=0",
          ]) {
            const { error, status } = yield* get(path)
            assert.deepStrictEqual([status, error?.code], [400, "VALIDATION_ERROR"], path)
          }
          const first = yield* get("/leaderboards/aces")
          assert.strictEqual((yield* get("/leaderboards/aces", "pro", { "if-none-match": first.headers.get("etag") ?? "" })).status, 304)
        }),
      )

      it.effect("report the coverage by tour and circuit, and in total", () =>
        Effect.gen(function* () {
          const { get, now } = yield* TennisStack
          const { data } = yield* get("/coverage", "free")
          const [atp, wta] = data.tours
          assert.deepStrictEqual(
            atp.circuits.map((row: { readonly circuit: string; readonly matches: number; readonly players: number }) => [
              row.circuit,
              row.matches,
              row.players,
            ]),
            [
              ["tour", 14, 5],
              ["doubles", 1, 4],
              ["futures", 1, 2],
            ],
          )
          assert.deepInclude(atp, {
            tour: "ATP",
            first_date: "1968-06-01",
            last_date: daysAgo(now, 10),
            matches: 16,
            players: 5,
            with_statistics: 1,
          })
          assert.deepStrictEqual(atp.unparsable_scores, { total: 2, by_problem: { missing_games: 1, placeholder: 1 } })
          assert.deepStrictEqual(atp.rankings, { weeks: 5, entries: 15, first_date: "2019-05-06", last_date: daysAgo(now, 3) })
          assert.deepInclude(wta, { tour: "WTA", matches: 1, players: 2, with_verified_day: 0 })
          assert.deepInclude(data.totals, { matches: 17, players: 7, ranking_weeks: 6, ranking_entries: 16, with_statistics: 1 })
          assert.deepStrictEqual(data.totals.unparsable_scores, atp.unparsable_scores)
        }),
      )

      it.effect("report health and freshness", () =>
        Effect.gen(function* () {
          const { get, now } = yield* TennisStack
          assert.deepStrictEqual((yield* get("/health", "free")).data, {
            status: "ok",
            database: "ok",
            newest_match_date: daysAgo(now, 10),
            newest_ranking_date: daysAgo(now, 3),
            summaries: { state: "complete", steps_done: 0, steps: 0, message: null },
          })
          const { data } = yield* get("/health/sync")
          assert.deepStrictEqual(data.tours, [
            {
              tour: "ATP",
              matches: { newest_date: daysAgo(now, 10), age_days: 10, stale: false },
              rankings: { newest_date: daysAgo(now, 3), age_days: 3, stale: false },
            },
            {
              tour: "WTA",
              matches: { newest_date: "2019-05-01", age_days: data.tours[1].matches.age_days, stale: true },
              rankings: { newest_date: daysAgo(now, 70), age_days: 70, stale: true },
            },
          ])
          assert.deepStrictEqual([data.stale, data.stale_after_days, data.last_live_result, data.sources], [true, 14, null, []])
          const first = yield* get("/health")
          assert.strictEqual((yield* get("/health", "pro", { "if-none-match": first.headers.get("etag") ?? "" })).status, 304)
        }),
      )

      it.effect("announce odds with 501 on every plan, at no cost", () =>
        Effect.gen(function* () {
          const { get } = yield* TennisStack
          for (const path of ["/odds/atp-tour-2019-10-1", "/odds/tennis-match-1/live"]) {
            for (const plan of ["free", "pro"] as const) {
              const { error, status } = yield* get(path, plan)
              assert.deepStrictEqual([status, error.code], [501, "NOT_YET_AVAILABLE"], path)
              assert.deepInclude(error.details, { game: "tennis", announcedOn: "2026-11-25" })
            }
          }
          assert.strictEqual((yield* get("/odds/a%20b")).status, 400)
        }),
      )
    },
  )
})
