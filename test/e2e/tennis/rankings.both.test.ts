/** Tests the ranking endpoints over HTTP: lists, movement, movers, histories, history limits of plans, and errors. */
import { assert, layer } from "@effect/vitest"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect } from "effect"
import { daysAgo, rankedTennis } from "../../../packages/tennis/test/archive/fixtures/rankedTennis.ts"
import { TennisStack } from "../../fixtures/tennis/tennisStack.ts"

type Row = Readonly<Record<string, unknown>> & { readonly player: { readonly id: string } }

/** The rank, player, previous rank, movement and novelty of each row. */
const places = (rows: ReadonlyArray<Row>) =>
  rows.map(({ is_new, movement, player, previous_rank, rank }) => [rank, player.id, previous_rank, movement, is_new])

const ids = (rows: ReadonlyArray<Row>) => rows.map(({ player }) => player.id)

onDatabaseOfRun((driver, database) => {
  layer(TennisStack.layer(database, rankedTennis), { timeout: "60 seconds", excludeTestServices: true })(
    `tennis rankings, ${driver}`,
    (it) => {
      it.effect("list the newest list of the ATP with the movement since the previous list", () =>
        Effect.gen(function* () {
          const { get, now } = yield* TennisStack
          const { data, meta } = yield* get("/rankings")
          assert.deepStrictEqual(data[0], {
            rank: 1,
            player: { id: "atp_3", name: "Cy Cole", country: "ESP" },
            points: 1000,
            tournaments: 12,
            previous_rank: 2,
            movement: 1,
            is_new: false,
          })
          assert.deepStrictEqual(places(data), [
            [1, "atp_3", 2, 1, false],
            [2, "atp_1", 1, -1, false],
            [3, "atp_4", null, null, true],
          ])
          assert.deepInclude(meta, { tour: "ATP", date: daysAgo(now, 3), previous_date: daysAgo(now, 10), total: 3, limit: 50 })
          assert.deepStrictEqual((yield* get("/rankings/atp")).data, data)
          assert.deepStrictEqual((yield* get("/rankings/ATP?limit=1000")).meta.limit, 500)
          assert.deepStrictEqual((yield* get("/standings")).data, data)
          assert.deepStrictEqual((yield* get("/standings?top_n=1&tour=wta")).meta, {
            tour: "WTA",
            date: daysAgo(now, 70),
            previous_date: null,
            count: 1,
            total: 1,
          })
          const top = yield* get("/rankings/top?tour=ATP&top_n=2")
          assert.deepStrictEqual([top.data, top.meta.count, top.meta.total], [data.slice(0, 2), 2, 3])
          assert.deepStrictEqual(places((yield* get("/rankings/wta")).data), [[1, "wta_1", null, null, false]])
        }),
      )

      it.effect("list the list of a date, tied players by id, and name the nearest dates otherwise", () =>
        Effect.gen(function* () {
          const { get, now } = yield* TennisStack
          assert.deepStrictEqual(places((yield* get("/rankings?date=2019-05-13")).data), [
            [1, "atp_2", 2, 1, false],
            [2, "atp_1", 1, -1, false],
            [2, "atp_3", 3, 1, false],
            [4, "atp_4", null, null, true],
          ])
          const first = yield* get("/rankings/atp?date=2019-05-06")
          assert.deepStrictEqual([first.meta.previous_date, first.data[0].is_new], [null, false])
          for (const path of ["/rankings?date=2019-05-14", "/rankings/atp?date=2019-05-14", "/rankings/movers?date=2019-05-14"]) {
            const { error, status } = yield* get(path)
            assert.deepStrictEqual([status, error.code], [422, "UNKNOWN_VALUE"], path)
            assert.deepStrictEqual(error.details, { parameter: "date", value: "2019-05-14", valid: ["2019-05-13", daysAgo(now, 143)] })
          }
          assert.deepStrictEqual((yield* get("/rankings?date=1999-01-04")).error.details.valid, ["2019-05-06"])
          assert.deepStrictEqual((yield* get("/rankings?date=2999-01-04")).error.details.valid, [daysAgo(now, 3)])
        }),
      )

      it.effect("walk a list by cursor while a player is added to it", () =>
        Effect.gen(function* () {
          const { add, get, rebuild } = yield* TennisStack
          const [first, second] = [yield* get("/rankings?date=2019-05-13&limit=2"), yield* get("/rankings?date=2019-05-13&limit=2&page=2")]
          assert.deepStrictEqual(
            [ids(first.data), ids(second.data)],
            [
              ["atp_2", "atp_1"],
              ["atp_3", "atp_4"],
            ],
          )
          yield* add([{ tour: "atp", kind: "rankings", lines: ["ranking_date,rank,player,points", "20190513,1,5,950"] }])
          yield* rebuild
          const rest = yield* get(`/rankings?date=2019-05-13&limit=2&cursor=${first.meta.nextCursor}`)
          assert.deepStrictEqual([ids(rest.data), rest.meta.nextCursor, rest.meta.total], [["atp_3", "atp_4"], null, 5])
          const foreign = yield* get(`/rankings/dates?cursor=${first.meta.nextCursor}`)
          assert.deepStrictEqual([foreign.status, foreign.error.code], [400, "VALIDATION_ERROR"])
        }),
      )

      it.effect("list climbers, fallers, new entries and drop-outs", () =>
        Effect.gen(function* () {
          const { get, now } = yield* TennisStack
          const { data, meta } = yield* get("/rankings/movers")
          assert.deepStrictEqual(
            Object.entries(data).map(([kind, rows]) => [kind, ids(rows as ReadonlyArray<Row>)]),
            [
              ["climbers", ["atp_3"]],
              ["fallers", ["atp_1"]],
              ["new_entries", ["atp_4"]],
              ["drop_outs", ["atp_2"]],
            ],
          )
          assert.deepStrictEqual(data.drop_outs[0], {
            player: { id: "atp_2", name: "Bo Baker", country: "FRA" },
            rank: null,
            previous_rank: 3,
            movement: null,
            points: null,
          })
          assert.deepInclude(meta, { tour: "ATP", date: daysAgo(now, 3), limit: 10 })
          assert.deepStrictEqual(meta.totals, { climbers: 1, fallers: 1, new_entries: 1, drop_outs: 1 })
          const up = (yield* get("/rankings/movers?direction=up")).data
          assert.deepStrictEqual([up.climbers, up.fallers, up.new_entries, up.drop_outs], [data.climbers, [], data.new_entries, []])
          const down = (yield* get("/rankings/movers?direction=down")).data
          assert.deepStrictEqual([down.climbers, down.fallers, down.new_entries, down.drop_outs], [[], data.fallers, [], data.drop_outs])
          const older = yield* get("/rankings/movers?date=2019-05-13&limit=1")
          assert.deepStrictEqual([ids(older.data.climbers), older.meta.totals.climbers], [["atp_2"], 2])
          assert.deepInclude(older.meta, { page: 1, totalPages: 2, hasNext: true, hasPrev: false })
          for (const next of ["page=2", "offset=1"]) {
            const second = yield* get(`/rankings/movers?date=2019-05-13&limit=1&${next}`)
            assert.lengthOf(second.data.climbers, 1)
            assert.notDeepEqual(ids(second.data.climbers), ids(older.data.climbers))
            assert.deepInclude(second.meta, { page: 2, totalPages: 2, hasNext: false, hasPrev: true })
          }
          const beyond = yield* get("/rankings/movers?date=2019-05-13&limit=1&page=9007199254740991")
          assert.deepStrictEqual([beyond.status, beyond.data.climbers, beyond.meta.hasNext], [200, [], false])
          const none = yield* get("/rankings/movers?tour=WTA")
          assert.deepStrictEqual([none.data.climbers, none.meta.previous_date, none.meta.totals.new_entries], [[], null, 0])
        }),
      )

      it.effect("show the history of a player with the career high", () =>
        Effect.gen(function* () {
          const { get, now } = yield* TennisStack
          const { data, meta } = yield* get("/rankings/history/atp_1")
          assert.deepStrictEqual(
            data.map((row: Row) => [row["date"], row["rank"], row["previous_rank"], row["movement"]]),
            [
              [daysAgo(now, 3), 2, 1, -1],
              [daysAgo(now, 10), 1, 1, 0],
              [daysAgo(now, 143), 1, null, null],
              ["2019-05-13", 2, 1, -1],
              ["2019-05-06", 1, null, null],
            ],
          )
          assert.deepStrictEqual(meta.career, {
            weeks: 5,
            weeks_at_number_one: 3,
            first_date: "2019-05-06",
            last_date: daysAgo(now, 3),
            career_high: { rank: 1, date: "2019-05-06" },
          })
          assert.deepStrictEqual([meta.player.name, meta.total], ["Al Able", 5])
          const walked: Array<unknown> = []
          let cursor = ""
          for (let page = 0; page < 5; page++) {
            const part = yield* get(`/rankings/history/atp_1?limit=2${cursor}`)
            walked.push(...part.data)
            if (part.meta.nextCursor === null) break
            cursor = `&cursor=${part.meta.nextCursor}`
          }
          assert.deepStrictEqual(walked, data)
          const unranked = yield* get("/rankings/history/wta_2")
          assert.deepStrictEqual([unranked.status, unranked.data, unranked.meta.career, unranked.meta.total], [200, [], null, 0])
          const unknown = yield* get("/rankings/history/atp_99")
          assert.deepStrictEqual([unknown.status, unknown.error.code], [404, "NOT_FOUND"])
        }),
      )

      it.effect("list the published dates", () =>
        Effect.gen(function* () {
          const { get, now } = yield* TennisStack
          const { data, meta } = yield* get("/rankings/dates")
          assert.deepStrictEqual(
            data.map(({ date }: { readonly date: string }) => date),
            [3, 10, 143].map((days) => daysAgo(now, days)).concat("2019-05-13", "2019-05-06"),
          )
          assert.deepStrictEqual([meta.total, meta.tour], [5, "ATP"])
          const year = yield* get("/rankings/dates?year=2019&limit=1")
          assert.deepStrictEqual([year.data.length, year.meta.total, year.data[0].previous_date], [1, 2, "2019-05-06"])
          const next = yield* get(`/rankings/dates?year=2019&limit=1&cursor=${year.meta.nextCursor}`)
          assert.deepStrictEqual([next.data[0], next.meta.nextCursor], [{ date: "2019-05-06", previous_date: null, entries: 3 }, null])
          assert.deepStrictEqual((yield* get("/rankings/dates?year=1950")).data, [])
        }),
      )

      it.effect("give plans with a short history the newest list and those within it", () =>
        Effect.gen(function* () {
          const { get, now } = yield* TennisStack
          const dates = (response: { readonly data: ReadonlyArray<{ readonly date: string }> }) => response.data.map(({ date }) => date)
          const recent = [daysAgo(now, 3), daysAgo(now, 10)]
          assert.strictEqual((yield* get("/rankings", "free")).meta.date, recent[0])
          assert.strictEqual((yield* get(`/rankings?date=${recent[1]}`, "free")).status, 200)
          assert.deepStrictEqual(dates(yield* get("/rankings/dates", "free")), recent)
          assert.deepStrictEqual(dates(yield* get("/rankings/history/atp_1", "free")), recent)
          const { career } = (yield* get("/rankings/history/atp_1", "free")).meta
          assert.deepStrictEqual([career.weeks, career.weeks_at_number_one, career.career_high], [2, 1, { rank: 1, date: recent[1] }])
          // The newest list of the WTA is older than the history of the plan.
          assert.strictEqual((yield* get("/rankings/wta", "free")).data.length, 1)
          assert.strictEqual((yield* get(`/rankings/wta?date=${daysAgo(now, 70)}`, "free")).status, 200)
          assert.deepStrictEqual(dates(yield* get("/rankings/dates?tour=WTA", "free")), [daysAgo(now, 70)])
          for (const path of [
            "/rankings?date=2019-05-13",
            "/rankings/movers?date=2019-05-13",
            "/rankings/dates?year=2019",
            "/rankings/atp?date=2019-05-14",
          ]) {
            const { error, status } = yield* get(path, "free")
            assert.deepStrictEqual([status, error.code], [403, "HISTORY_LIMIT"], path)
          }
          assert.strictEqual((yield* get("/rankings", "starter")).status, 200)
        }),
      )

      it.effect("reject unknown circuits with 404 and invalid parameters with 400", () =>
        Effect.gen(function* () {
          const { get } = yield* TennisStack
          for (const circuit of ["doubles", "race"]) {
            const { error, status } = yield* get(`/rankings/${circuit}`)
            assert.deepStrictEqual([status, error.code], [404, "NOT_COVERED"])
            assert.deepStrictEqual(error.details, { parameter: "circuit", value: circuit, valid: ["atp", "wta"] })
          }
          for (const path of [
            "/rankings?tour=ITF",
            "/rankings?date=2019-13-01",
            "/rankings?limit=0",
            "/rankings/top?top_n=0",
            "/rankings/top?top_n=x",
            "/rankings/dates?year=soon",
            "/rankings/movers?direction=left",
            "/rankings/history/nobody",
            "/standings?tour=x",
            "/rankings/at.p",
          ]) {
            const { error, status } = yield* get(path)
            assert.deepStrictEqual([status, error?.code], [400, "VALIDATION_ERROR"], path)
          }
        }),
      )

      it.effect("answer 304 if nothing has changed", () =>
        Effect.gen(function* () {
          const { get } = yield* TennisStack
          for (const path of ["/rankings", "/rankings/movers", "/rankings/history/atp_1", "/standings", "/rankings/dates"]) {
            const first = yield* get(path)
            const again = yield* get(path, "pro", { "if-none-match": first.headers.get("etag") ?? "" })
            assert.deepStrictEqual([again.status, again.text], [304, ""], path)
          }
        }),
      )
    },
  )
})
