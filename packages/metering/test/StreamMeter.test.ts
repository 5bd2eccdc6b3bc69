import { assert, describe, it } from "@effect/vitest"
import { AccountId } from "@matchpoint/domain/accounts"
import { Period } from "@matchpoint/domain/metering/periods"
import { Clock, Context, Effect, Exit, Layer, References, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { Refused } from "../src/Meter.ts"
import { Meter } from "../src/Meter.ts"
import { StreamMeter } from "../src/StreamMeter.ts"
import { customerOf, LATE_IN_MONTH, TestLedger } from "./fixtures.ts"

const quiet = Effect.provideService(References.MinimumLogLevel, "None")

const metered = (quota: number) => StreamMeter.layer.pipe(Layer.provideMerge(Meter.layer), Layer.provideMerge(TestLedger.layer(quota)))

/** Advances the clock second by second, so that the effects of each second complete before the next. */
const pass = (seconds: number) => Effect.repeat(TestClock.adjust("1 second"), { times: seconds - 1 })

const november = Period.make("2026-11")
const december = Period.make("2026-12")

describe("StreamMeter", () => {
  it.effect("charges the connect and every full 15 seconds after it, never early", () =>
    Effect.gen(function* () {
      const streams = yield* StreamMeter
      const pro = customerOf("pro", 1_000_000)
      const whole = yield* streams.open(pro, "sse")
      yield* TestClock.adjust("400 millis")
      const odd = yield* streams.open(pro, "websocket")
      assert.deepStrictEqual([whole.ticks, odd.ticks], [1, 1])
      yield* TestClock.adjust("14599 millis")
      assert.deepStrictEqual([whole.ticks, odd.ticks], [1, 1])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual([whole.ticks, odd.ticks], [2, 1])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([whole.ticks, odd.ticks], [2, 2])
      yield* pass(3_600 - 16)
      assert.strictEqual(whole.ticks, 1 + 240)
      assert.strictEqual(streams.openSessions(), 2)
      streams.close(whole)
      streams.close(whole)
      yield* pass(60)
      assert.strictEqual(whole.ticks, 1 + 240)
      assert.strictEqual(streams.openSessions(), 1)
    }).pipe(Effect.provide(metered(1_000_000))),
  )

  it.effect("opens a stream that continues another for free, even if the quota is used up, and charges it from then on", () =>
    Effect.gen(function* () {
      const streams = yield* StreamMeter
      const { book } = yield* TestLedger
      const free = customerOf("free", 2)
      const first = yield* streams.open(free, "sse")
      const continued = yield* streams.open(free, "sse", true)
      yield* pass(3)
      const ticksOf = ({ sessionId }: typeof first) => [...book.receipts.values()].find((one) => one.sessionId === sessionId)?.ticks
      assert.deepStrictEqual([ticksOf(first), ticksOf(continued)], [1, 0])
      streams.close(first)
      yield* pass(15)
      assert.deepStrictEqual([ticksOf(first), ticksOf(continued)], [1, 1])
      assert.strictEqual((yield* Effect.flip(streams.open(free, "sse"))).error.code, "RATE_LIMIT_EXCEEDED")
      assert.strictEqual((yield* streams.open(free, "sse", true)).ticks, 0)
      assert.strictEqual(book.bill(free.accountId, Period.make("1970-01")).streamTicks, 2)
    }).pipe(Effect.provide(metered(2))),
  )

  it.effect("does not charge the next interval of a stream whose connect should have been free", () =>
    Effect.gen(function* () {
      const streams = yield* StreamMeter
      const session = yield* streams.open(customerOf("pro", 1_000_000), "sse")
      yield* pass(10)
      streams.credit(session)
      yield* pass(6)
      assert.strictEqual(session.ticks, 1)
      yield* pass(15)
      assert.strictEqual(session.ticks, 2)
    }).pipe(Effect.provide(metered(1_000_000))),
  )

  it.effect("issues receipts that sum to the bill and have the time of closing", () =>
    Effect.gen(function* () {
      const streams = yield* StreamMeter
      const { book } = yield* TestLedger
      const pro = customerOf("pro", 1_000_000)
      const first = yield* streams.open(pro, "sse")
      yield* pass(40)
      yield* streams.open(pro, "rpc")
      yield* pass(20)
      streams.close(first)
      yield* pass(3)
      const receipts = [...book.receipts.values()]
      assert.deepStrictEqual(receipts.map(({ channel, closedAt, ticks }) => [channel, ticks, closedAt]).sort(), [
        ["rpc", 2, null],
        ["sse", 5, 60_000],
      ])
      assert.strictEqual(book.bill(pro.accountId, Period.make("1970-01")).streamTicks, 7)
    }).pipe(Effect.provide(metered(1_000_000))),
  )

  it.effect("settles an account with many streams in parts, each with its bill, without delaying other accounts", () =>
    Effect.gen(function* () {
      const streams = yield* StreamMeter
      const meter = yield* Meter
      const ledger = yield* TestLedger
      const [many, other] = [customerOf("scale", 50_000_000), customerOf("pro", 1_000_000)]
      const small = { ...other, accountId: AccountId.make("00000000-0000-4000-8000-00000000000c") }
      const receipts = () => [...ledger.book.receipts.values()].reduce((sum, { ticks }) => sum + ticks, 0)
      const billed = () => ledger.book.bill(many.accountId, Period.make("1970-01")).streamTicks
      yield* Effect.forEach(Array.from({ length: 7_000 }), () => streams.open(many, "websocket"), { discard: true, concurrency: 100 })
      yield* pass(10)
      assert.deepStrictEqual([billed(), receipts()], [7_000, 7_000])
      // All receipts of the account together now exceed the ledger's timeout.
      ledger.msPerReceipt = 0.4
      const seen = new Set<number>()
      for (let half = 0; half < 24; half++) {
        yield* TestClock.adjust("500 millis")
        seen.add(billed())
        assert.strictEqual(billed(), receipts())
        if (half === 12) yield* Effect.forkChild(Effect.map(meter.acquire(small), (lease) => meter.serve(lease, "request")))
      }
      assert.isAbove(seen.size, 3)
      assert.deepStrictEqual([billed(), receipts()], [14_000, 14_000])
      assert.strictEqual(ledger.book.bill(small.accountId, Period.make("1970-01")).requests, 1)
    }).pipe(Effect.provide(metered(50_000_000))),
  )

  it.effect("issues a receipt in each month for a stream across the end of a month, and closes both with the stream", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(LATE_IN_MONTH + 3_540_000)
      const scope = yield* Scope.make()
      const services = yield* Layer.buildWithScope(Layer.provideMerge(StreamMeter.layer, Meter.layer), scope)
      const streams = Context.get(services, StreamMeter)
      const { book } = yield* TestLedger
      const pro = customerOf("pro", 1_000_000)
      const session = yield* streams.open(pro, "websocket")
      yield* pass(90)
      streams.close(session)
      yield* pass(5)
      const receipts = [...book.receipts.values()].map(({ closedAt, period, ticks }) => ({ period, ticks, isClosed: closedAt !== null }))
      // The tick at midnight belongs to the new month.
      assert.sameDeepMembers(receipts, [
        { period: november, ticks: 4, isClosed: true },
        { period: december, ticks: 3, isClosed: true },
      ])
      assert.strictEqual(book.bill(pro.accountId, november).streamTicks, 4)
      assert.strictEqual(book.bill(pro.accountId, december).streamTicks, 3)
      yield* Scope.close(scope, Exit.void)
    }).pipe(Effect.provide(TestLedger.layer(1_000_000))),
  )

  it.effect("rejects a connect without quota, and ends an open stream once when the quota is used up", () =>
    Effect.gen(function* () {
      const streams = yield* StreamMeter
      const free = customerOf("free", 3)
      const refusals: Array<Refused> = []
      const session = yield* streams.open(free, "sse")
      session.holder = {
        refused: (error, whose) => {
          assert.strictEqual(whose, session)
          refusals.push(error)
        },
      }
      yield* pass(120)
      assert.strictEqual(session.ticks, 3)
      assert.deepStrictEqual(
        refusals.map(({ error }) => error.code),
        ["RATE_LIMIT_EXCEEDED"],
      )
      assert.strictEqual((yield* Effect.flip(streams.open(free, "sse"))).error.code, "RATE_LIMIT_EXCEEDED")
      assert.strictEqual(streams.openSessions(), 1)
      streams.close(session)
      assert.strictEqual(streams.openSessions(), 0)
    }).pipe(Effect.provide(metered(3))),
  )

  it.effect("charges nothing after the drain starts, and nothing to a stream that closed while its charge was pending", () =>
    Effect.gen(function* () {
      const streams = yield* StreamMeter
      const { book } = yield* TestLedger
      const free = customerOf("free", 10)
      const leaving = yield* streams.open(free, "sse")
      yield* pass(14)
      // The charge asks the ledger for a request. The stream is closed before the response.
      const staying = yield* streams.open(free, "sse")
      yield* TestClock.adjust("1 second")
      streams.close(leaving)
      const charged = leaving.ticks
      yield* pass(2)
      assert.strictEqual(leaving.ticks, charged)
      streams.drain()
      yield* pass(60)
      assert.strictEqual(staying.ticks, 1)
      const late = yield* streams.open(free, "sse")
      assert.strictEqual(late.ticks, 0)
      streams.close(late)
      streams.close(staying)
      yield* pass(3)
      assert.strictEqual(book.bill(free.accountId, Period.make("1970-01")).streamTicks, charged + 1)
    }).pipe(Effect.provide(metered(10))),
  )

  it.effect("charges one tick for a time in which the process stood still", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let stoodStill = 0n
      const services = yield* Layer.build(Layer.provideMerge(StreamMeter.layer, Meter.layer)).pipe(
        Effect.provideService(Clock.Clock, {
          ...clock,
          monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe() + stoodStill,
        }),
      )
      const session = yield* Context.get(services, StreamMeter).open(customerOf("pro", 1_000_000), "sse")
      yield* pass(20)
      assert.strictEqual(session.ticks, 2)
      stoodStill = 60_000_000_000n
      yield* pass(1)
      assert.strictEqual(session.ticks, 3)
      yield* pass(20)
      assert.isAtMost(session.ticks, 5)
    }).pipe(Effect.provide(TestLedger.layer(1_000_000)), Effect.scoped),
  )

  it.effect("continues to charge other streams when ending one fails", () =>
    Effect.gen(function* () {
      const streams = yield* StreamMeter
      const ledger = yield* TestLedger
      const free = customerOf("free", 500)
      const bad = yield* streams.open(free, "sse")
      const good = yield* streams.open(free, "sse")
      const ended: Array<string> = []
      bad.holder = {
        refused: () => {
          throw new Error("the socket is gone")
        },
      }
      good.holder = { refused: () => ended.push("good") }
      yield* pass(10)
      ledger.quota = 0
      yield* pass(10)
      assert.deepStrictEqual(ended, ["good"])
      ledger.quota = 500
      yield* pass(1)
      const next = yield* streams.open(free, "sse")
      yield* pass(16)
      assert.strictEqual(next.ticks, 2)
    }).pipe(Effect.provide(metered(500)), quiet),
  )
})
