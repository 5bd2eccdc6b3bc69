/**
 * Tests the recording of quotes from the bus into the archive, across a restart and past unreadable quotes, and the
 * suspension of decided maps.
 */
import { assert, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Rejections } from "@matchpoint/bus/Rejections"
import { LIVE, liveMessageId, liveSubject, ODDS, REJECTED, rejectedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { OddsBook } from "@matchpoint/cs2/archive/odds/OddsBook"
import { OddsRecorder } from "@matchpoint/cs2/archive/odds/OddsRecorder"
import { encodeMarketQuoted, type MarketQuoted, marketQuotedId, oddsSubject } from "@matchpoint/cs2/contract/odds"
import { decided, isDecided } from "@matchpoint/cs2/feed/odds/decisions"
import { OddsFeed } from "@matchpoint/cs2/feed/odds/OddsFeed"
import { look } from "@matchpoint/cs2/feed/odds/OddsWatch"
import { MatchEncoder } from "@matchpoint/cs2/live/encode/MatchEncoder"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { Migrations } from "@matchpoint/games/Migrations"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect, Layer, Schedule, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { insertSampleArchive, sample } from "../../../packages/cs2/test/archive/fixtures/sampleArchive.ts"
import { foldToRecords, simulatedEvents } from "../../../services/match/test/simulated.ts"

const at = Date.parse("2026-11-22T12:00:00Z")

const quoted = (second: number, team1: number, more: Partial<MarketQuoted> = {}): MarketQuoted => ({
  source: "test",
  key: "series",
  matchId: matchId(sample.matches.upcoming),
  kind: "series_winner",
  title: "who wins",
  teams: ["Alpha Wolves", "Čarodějové"],
  quote: { at: at + second * 1_000, team1, team2: 2, state: "open" },
  ...more,
})

const appendQuote = Effect.fnUntraced(function* (one: MarketQuoted) {
  const log = yield* EventLog
  yield* log.append(oddsSubject, marketQuotedId(one), encodeMarketQuoted(one))
})

const Base = Layer.mergeAll(OddsBook.layer, OddsRecorder.layer, Layer.effectDiscard(insertSampleArchive(at))).pipe(
  Layer.provide(Migrations.layer),
  Layer.provideMerge(embeddedMemory),
  Layer.provideMerge(Rejections.layer),
  Layer.provideMerge(EventLogMemory.layer({ streams })),
)

const until = <A, E, R>(effect: Effect.Effect<A, E, R>, holds: (value: A) => boolean) =>
  Effect.repeat(effect, { schedule: Schedule.spaced("20 millis"), until: holds }).pipe(Effect.timeout("20 seconds"))

const prices = Effect.gen(function* () {
  const [market] = (yield* (yield* OddsBook).ofMatch(sample.matches.upcoming)) ?? []
  if (market === undefined) return []
  const line = yield* (yield* OddsBook).line(Number(market.id.slice("cs2-odds-".length)), { limit: 100, offset: 0 })
  return line?.rows.map(({ team1 }) => team1) ?? []
})

it.layer(Base, { timeout: 60_000, excludeTestServices: true })("OddsFeed", (it) => {
  it.effect("writes each quote once, across a restart, and skips quotes it cannot read", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      yield* appendQuote(quoted(0, 1.5))
      yield* log.append(oddsSubject, "broken", new TextEncoder().encode('{"source":"?"}'))
      yield* appendQuote(quoted(1, 1.6))
      yield* Effect.scoped(
        Effect.andThen(
          Layer.build(OddsFeed.layer),
          until(prices, (line) => line.length === 2),
        ),
      )
      yield* appendQuote(quoted(2, 1.7))
      const { last } = yield* log.bounds(ODDS)
      const reached = until(
        Effect.flatMap(OddsRecorder, (recorder) => recorder.position),
        (position) => position === last,
      )
      yield* Effect.scoped(Effect.andThen(Layer.build(OddsFeed.layer), reached))
      assert.deepStrictEqual(yield* prices, [1.5, 1.6, 1.7])
      const refused = yield* Stream.runCollect(log.read(REJECTED, rejectedSubject, { _tag: "First" }))
      assert.strictEqual(refused.length, 1)
    }),
  )

  it.effect("suspends the markets of a decided map, and a later quote does not reopen them", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const number = sample.matches.later
        const log = yield* EventLog
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          INSERT INTO matches (game, match_number, best_of, team1_id, team1_name, team2_id, team2_name, config)
          VALUES ('cs2', ${number}, 1, 'one', 'One', 'two', 'Two', '{}')`
        const ofMap = (second: number, key: string) =>
          quoted(second, 1.2, { key, matchId: matchId(number), kind: "map_winner", mapNumber: 1 })
        const stateOf = (key: string) =>
          Effect.map(
            sql<{ readonly state: string }>`SELECT state FROM cs2_odds_markets WHERE source_key = ${key}`,
            (rows) => rows[0]?.state,
          )
        yield* Layer.build(OddsFeed.layer)
        yield* appendQuote(ofMap(0, "early"))
        yield* until(stateOf("early"), (state) => state === "open")
        yield* look
        assert.strictEqual(yield* stateOf("early"), "open")

        const { state } = foldToRecords(matchId(number), simulatedEvents(21, matchId(number)))
        if (state === undefined) return assert.fail("there is no state")
        const last = new MatchEncoder().kept(state)
        yield* log.append(liveSubject(matchId(number)), liveMessageId(matchId(number), state.epoch, state.seq), last)
        assert.strictEqual((yield* log.bounds(LIVE)).last, 1)
        yield* appendQuote(ofMap(100, "late"))
        const seen = yield* until(stateOf("late"), (found) => found !== undefined)
        assert.strictEqual(seen, "suspended")
        // The other market has received no quote since. The check suspends it, and a quote does not reopen it.
        yield* look
        assert.strictEqual(yield* stateOf("early"), "suspended")
        yield* appendQuote(ofMap(200, "early"))
        const { last: lastPosition } = yield* log.bounds(ODDS)
        yield* until(
          Effect.flatMap(OddsRecorder, (recorder) => recorder.position),
          (position) => position === lastPosition,
        )
        assert.strictEqual(yield* stateOf("early"), "suspended")
        assert.deepStrictEqual(yield* (yield* OddsRecorder).undecidedMatches, [])
      }),
    ),
  )

  it.effect("keeps the market of a match without an archive entry under its team names", () =>
    Effect.scoped(
      Effect.gen(function* () {
        yield* Layer.build(OddsFeed.layer)
        yield* appendQuote(quoted(0, 3, { key: "unknown", matchId: matchId(987_654), teams: ["One", "Two"] }))
        const book = yield* OddsBook
        const found = yield* until(book.markets({ limit: 100, offset: 0 }), ({ rows }) => rows.some(({ team1 }) => team1.name === "One"))
        assert.isNull(found.rows.find(({ team1 }) => team1.name === "One")?.matchId)
      }),
    ),
  )
})

it("decides a map when it is completed and a series when the match is over", () => {
  const map = (mapNumber: number, status: "live" | "completed") => ({ mapNumber, status }) as Parameters<typeof decided>[0]["maps"][number]
  assert.deepStrictEqual(decided({ status: "live", maps: [map(1, "completed"), map(2, "live")] }), { maps: [1], series: false })
  assert.deepStrictEqual(decided({ status: "cancelled", maps: [] }), { maps: [], series: true })
  const decisions = { at, maps: [1], series: false }
  assert.deepStrictEqual(
    [1, 2, undefined].map((number) => isDecided(decisions, number)),
    [true, false, false],
  )
  assert.isTrue(isDecided({ ...decisions, series: true }, 2))
})
