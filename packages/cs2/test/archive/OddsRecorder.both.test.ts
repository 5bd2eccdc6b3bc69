/** Tests recording odds on every driver. Recorded data is read through OddsBook. */
import { assert, layer, type Vitest } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { type AnyDatabase, onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { OddsBook } from "../../src/archive/odds/OddsBook.ts"
import { OddsRecorder } from "../../src/archive/odds/OddsRecorder.ts"
import type { QuotedMarket } from "../../src/archive/odds/QuotedMarket.ts"
import { matchId } from "../../src/rules/ids.ts"
import { insertSampleArchive, sample } from "./fixtures/sampleArchive.ts"
import { SAMPLE_NOW } from "./sampled.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR
const page = { limit: 100, offset: 0 }

/** The upcoming match of the sample starts in two days: Alpha Wolves against Čarodějové. */
const startsAt = SAMPLE_NOW + 2 * DAY + HOUR

const market = (key: string, more: Partial<QuotedMarket> = {}): QuotedMarket => ({
  source: "test",
  key,
  kind: "series_winner",
  title: "who wins",
  teams: ["Team Alpha Wolves", "carodejove"],
  startsAt,
  quotes: [
    { at: SAMPLE_NOW, team1: 1.5, team2: 2.5, state: "open" },
    { at: SAMPLE_NOW + 1_000, team1: 1.5, team2: 2.5, state: "open" },
    { at: SAMPLE_NOW + 2_000, team1: 1.6, team2: 2.4, state: "open" },
  ],
  ...more,
})

const suite = (it: Vitest.MethodsNonLive<OddsBook | OddsRecorder | SqlClient.SqlClient>) => {
  it.effect("finds a market's match by names and day, stores only price changes, and ignores repeated quotes", () =>
    Effect.gen(function* () {
      const recorder = yield* OddsRecorder
      const book = yield* OddsBook
      assert.deepStrictEqual(yield* recorder.record(market("series")), { outcome: "created", moves: 2 })
      assert.deepStrictEqual(yield* recorder.record(market("series")), { outcome: "unchanged", moves: 0 })
      const [shown] = (yield* book.ofMatch(sample.matches.upcoming)) ?? []
      assert.strictEqual(shown?.matchId, matchId(sample.matches.upcoming))
      assert.deepStrictEqual([shown?.team1.teamId as string, shown?.team1.price, shown?.team2.price], ["cs2-team-1", 1.6, 2.4])
      assert.approximately(shown?.impliedProbability ?? 0, 0.6, 1e-9)
      const line = yield* book.line(Number(shown?.id.slice("cs2-odds-".length)), page)
      assert.deepStrictEqual(
        line?.rows.map(({ at, team1 }) => [at, team1]),
        [
          ["2026-11-22T12:00:00.000Z", 1.5],
          ["2026-11-22T12:00:02.000Z", 1.6],
        ],
      )
    }),
  )

  it.effect("stores the same prices if a source lists the teams in the opposite order", () =>
    Effect.gen(function* () {
      const recorder = yield* OddsRecorder
      const book = yield* OddsBook
      const turned = market("map 1", {
        kind: "map_winner",
        mapNumber: 1,
        teams: ["Čarodějové", "Alpha Wolves"],
        quotes: [{ at: SAMPLE_NOW, team1: 3, team2: 1.4, state: "open" }],
      })
      assert.strictEqual((yield* recorder.record(turned)).outcome, "created")
      assert.strictEqual((yield* recorder.record(turned)).outcome, "unchanged")
      const shown = (yield* book.ofMatch(sample.matches.upcoming))?.find(({ mapNumber }) => mapNumber === 1)
      assert.deepStrictEqual([shown?.team1.name, shown?.team1.price, shown?.team2.price], ["Alpha Wolves", 1.4, 3])
      assert.strictEqual(shown?.gameId, `cs2-match-${sample.matches.upcoming}-map-1`)
    }),
  )

  it.effect("suspends a decided map at its last price, and keeps a closed market closed", () =>
    Effect.gen(function* () {
      const recorder = yield* OddsRecorder
      const book = yield* OddsBook
      const key = "map 2"
      const open = market(key, { kind: "map_winner", mapNumber: 2 })
      yield* recorder.record(open)
      assert.strictEqual(yield* recorder.decide(sample.matches.upcoming, 2, SAMPLE_NOW + 5_000), 1)
      assert.strictEqual(yield* recorder.decide(sample.matches.upcoming, 2, SAMPLE_NOW + 6_000), 0)
      const shown = Effect.map(book.ofMatch(sample.matches.upcoming), (all) => all?.find(({ mapNumber }) => mapNumber === 2))
      assert.deepInclude(yield* shown, { state: "suspended" })
      assert.strictEqual((yield* shown)?.team1.price, 1.6)
      yield* recorder.record({ ...open, closedAt: SAMPLE_NOW + 7_000, winner: 1, quotes: [] })
      assert.deepInclude(yield* shown, { state: "closed", winner: "team1" })
      yield* recorder.record({ ...open, quotes: [{ at: SAMPLE_NOW + 8_000, team1: 2, team2: 2, state: "open" }] })
      assert.deepInclude(yield* shown, { state: "closed" })
    }),
  )

  it.effect("adds a late quote to the price history at its own time and does not reopen the market", () =>
    Effect.gen(function* () {
      const recorder = yield* OddsRecorder
      const book = yield* OddsBook
      const key = "map 3"
      const open = market(key, { kind: "map_winner", mapNumber: 3 })
      yield* recorder.record(open)
      yield* recorder.record({ ...open, quotes: [{ at: SAMPLE_NOW + 5_000, team1: 1.6, team2: 2.4, state: "suspended" }] })
      yield* recorder.record({ ...open, quotes: [{ at: SAMPLE_NOW + 1_500, team1: 1.55, team2: 2.45, state: "open" }] })
      const [shown] = ((yield* book.ofMatch(sample.matches.upcoming)) ?? []).filter(({ mapNumber }) => mapNumber === 3)
      assert.deepStrictEqual([shown?.state, shown?.team1.price], ["suspended", 1.6])
      const line = yield* book.line(Number(shown?.id.slice("cs2-odds-".length)), page)
      assert.deepStrictEqual(
        line?.rows.map(({ team1 }) => team1),
        [1.5, 1.55, 1.6, 1.6],
      )
      yield* recorder.record({ ...open, quotes: [{ at: SAMPLE_NOW + 9_000, team1: 1.7, team2: 2.3, state: "open" }] })
      assert.strictEqual((yield* book.ofMatch(sample.matches.upcoming))?.find(({ mapNumber }) => mapNumber === 3)?.state, "open")
    }),
  )

  it.effect("never reopens a decided market, regardless of source and delay", () =>
    Effect.gen(function* () {
      const recorder = yield* OddsRecorder
      const book = yield* OddsBook
      const matchNumber = sample.matches.upcoming
      const map = (key: string) => market(key, { kind: "map_winner", mapNumber: 4, matchNumber })
      const of = (source: string) =>
        Effect.map(book.ofMatch(matchNumber), (all) => all?.filter((one) => one.mapNumber === 4 && one.source === source)[0])
      const statesOf = Effect.fnUntraced(function* (source: string) {
        const id = (yield* of(source))?.id ?? ""
        return (yield* book.line(Number(id.slice("cs2-odds-".length)), page))?.rows.map(({ state }) => state)
      })
      const later = [{ at: SAMPLE_NOW + 60_000, team1: 1.1, team2: 6, state: "open" as const }]
      yield* recorder.record(map("map 4"))
      yield* recorder.decide(matchNumber, 4, SAMPLE_NOW + 5_000)
      yield* recorder.record({ ...map("map 4"), quotes: later })
      assert.strictEqual((yield* of("test"))?.state, "suspended")
      assert.deepStrictEqual(yield* statesOf("test"), ["open", "open", "suspended", "suspended"])
      // One market that was already suspended, and one that was not known yet.
      yield* recorder.record({ ...map("map 4"), source: "second" })
      assert.strictEqual((yield* of("second"))?.state, "suspended")
      assert.deepStrictEqual(yield* statesOf("second"), ["open", "open", "suspended"])
      assert.deepStrictEqual(yield* recorder.record({ ...map("map 4"), source: "second" }), { outcome: "unchanged", moves: 0 })
      // A reader of the newest frame can know the decision before it is recorded.
      const fifth = { ...map("map 5"), mapNumber: 5, decidedAt: SAMPLE_NOW + 1_500 }
      yield* recorder.record(fifth)
      const shown = (yield* book.ofMatch(matchNumber))?.find(({ mapNumber }) => mapNumber === 5)
      assert.strictEqual(shown?.state, "suspended")
      yield* recorder.record({ ...fifth, decidedAt: undefined, quotes: later })
      assert.strictEqual((yield* book.ofMatch(matchNumber))?.find(({ mapNumber }) => mapNumber === 5)?.state, "suspended")
      // The decided market can still be closed, and the market of the series stays open.
      yield* recorder.record({ ...map("map 4"), closedAt: SAMPLE_NOW + 90_000, winner: 1, quotes: [] })
      assert.strictEqual((yield* of("test"))?.state, "closed")
      yield* recorder.record({ ...market("series"), quotes: later })
      assert.strictEqual((yield* book.ofMatch(matchNumber))?.find(({ kind }) => kind === "series_winner")?.state, "open")
    }),
  )

  it.effect("keeps a market without a match under its team names, and distinguishes unknown matches and markets from empty ones", () =>
    Effect.gen(function* () {
      const recorder = yield* OddsRecorder
      const book = yield* OddsBook
      yield* recorder.record(market("elsewhere", { teams: ["Nobody", "Noone"] }))
      const { rows, total } = yield* book.markets({ ...page, kind: "series_winner" })
      assert.strictEqual(total, rows.length)
      assert.isNull(rows.find(({ team1 }) => team1.name === "Nobody")?.matchId)
      assert.isUndefined(yield* book.ofMatch(999_999))
      assert.deepStrictEqual(yield* book.ofMatch(sample.matches.later), [])
      assert.isUndefined(yield* book.line(999_999, page))
      assert.strictEqual(
        (yield* book.markets({ ...page, team: "alpha-wolves" })).rows.every(({ matchId }) => matchId !== null),
        true,
      )
    }),
  )
}

const on = (driver: AnyDatabase) =>
  Layer.mergeAll(OddsBook.layer, OddsRecorder.layer, Layer.effectDiscard(insertSampleArchive(SAMPLE_NOW))).pipe(
    Layer.provide(Migrations.layer),
    Layer.provideMerge(driver),
  )

onDatabaseOfRun((database, driver) => layer(on(driver), { timeout: "60 seconds" })(`OddsRecorder on ${database}`, suite))
