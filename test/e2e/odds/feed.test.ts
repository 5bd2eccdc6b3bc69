/** Quotes from the bus into the archive, restarts and refusals between; decided maps suspended. */
import { assert, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Rejections } from "@matchpoint/bus/Rejections"
import { encodeMarketQuoted, type MarketQuoted, marketQuotedId } from "@matchpoint/contracts/bus/odds"
import { ODDS, oddsSubject, REJECTED, rejectedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { matchId } from "@matchpoint/domain/ids"
import { decided, decides } from "@matchpoint/service-feed/odds/decisions"
import { OddsFeed } from "@matchpoint/service-feed/odds/OddsFeed"
import { OddsBook } from "@matchpoint/store/cs2/OddsBook"
import { OddsRecorder } from "@matchpoint/store/cs2/OddsRecorder"
import { Embedded } from "@matchpoint/store/Embedded"
import { Migrations } from "@matchpoint/store/Migrations"
import { Effect, Layer, Schedule, Stream } from "effect"
import { insertSampleArchive, sample } from "../../../packages/store/test/fixtures/sampleArchive.ts"

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

const tell = Effect.fnUntraced(function* (one: MarketQuoted) {
  const log = yield* EventLog
  yield* log.append(oddsSubject, marketQuotedId(one), encodeMarketQuoted(one))
})

const Base = Layer.mergeAll(OddsBook.layer, OddsRecorder.layer, Layer.effectDiscard(insertSampleArchive(at))).pipe(
  Layer.provide(Migrations.layer),
  Layer.provide(Embedded.layer({ directory: null })),
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
  it.effect("writes each quote once, over a restart, and past what it cannot read", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      yield* tell(quoted(0, 1.5))
      yield* log.append(oddsSubject, "broken", new TextEncoder().encode('{"source":"?"}'))
      yield* tell(quoted(1, 1.6))
      yield* Effect.scoped(
        Effect.andThen(
          Layer.build(OddsFeed.layer),
          until(prices, (line) => line.length === 2),
        ),
      )
      yield* tell(quoted(2, 1.7))
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

  it.effect("a match that is not in the archive keeps its market under its names", () =>
    Effect.scoped(
      Effect.gen(function* () {
        yield* Layer.build(OddsFeed.layer)
        yield* tell(quoted(0, 3, { key: "unknown", matchId: matchId(987_654), teams: ["One", "Two"] }))
        const book = yield* OddsBook
        const found = yield* until(book.markets({ limit: 100, offset: 0 }), ({ rows }) => rows.some(({ team1 }) => team1.name === "One"))
        assert.isNull(found.rows.find(({ team1 }) => team1.name === "One")?.matchId)
      }),
    ),
  )
})

it("a map is decided when it is completed, a series when the match is over", () => {
  const map = (mapNumber: number, status: "live" | "completed") => ({ mapNumber, status }) as Parameters<typeof decided>[0]["maps"][number]
  assert.deepStrictEqual(decided({ status: "live", maps: [map(1, "completed"), map(2, "live")] }), { maps: [1], series: false })
  assert.deepStrictEqual(decided({ status: "cancelled", maps: [] }), { maps: [], series: true })
  const decisions = { at, maps: [1], series: false }
  assert.deepStrictEqual(
    [1, 2, undefined].map((number) => decides(decisions, number)),
    [true, false, false],
  )
  assert.isTrue(decides({ ...decisions, series: true }, 2))
})
