import { assert, it } from "@effect/vitest"
import { decodeRejection, type FeedRejection } from "@matchpoint/contracts/bus/feed"
import { REJECTED, rejectedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { Array as Arr, Effect, Latch, Layer, Metric, Stream } from "effect"
import { EventLog } from "../src/EventLog.ts"
import * as EventLogMemory from "../src/EventLogMemory.ts"
import { Rejections, rejectedTotal, rejectionsDropped } from "../src/Rejections.ts"

const refusal = (code: string): FeedRejection => ({
  matchId: "cs2-match-1",
  factId: "fact",
  type: "PlayerKilled",
  code,
  message: "no",
  receivedAt: 0,
  raw: "{}",
})

/** A log whose appends wait while the latch is closed. */
const stalling = (latch: Latch.Latch) =>
  Layer.effect(
    EventLog,
    Effect.map(EventLog, (log) => ({ ...log, append: (...args: Parameters<typeof log.append>) => latch.whenOpen(log.append(...args)) })),
  ).pipe(Layer.provideMerge(EventLogMemory.layer({ streams })))

const stored = Effect.gen(function* () {
  const log = yield* EventLog
  const records = yield* log.read(REJECTED, rejectedSubject, { _tag: "First" }).pipe(Stream.runCollect)
  return yield* Effect.forEach(records, ({ data }) => decodeRejection(new TextDecoder().decode(data)))
})

/** Waits until the writer has stored this many rejections; more are a failure. */
const storesAtLast = (count: number) =>
  Effect.gen(function* () {
    const log = yield* EventLog
    for (let turn = 0; turn < 50_000 && (yield* log.bounds(REJECTED)).last < count; turn++) yield* Effect.yieldNow
    assert.strictEqual((yield* stored).length, count)
  })

const counted = (code: string) => Effect.map(Metric.value(rejectedTotal(code)), ({ count }) => Number(count))

it.effect("returns at once while the log is stalled, and stores every rejection when it works again", () =>
  Effect.gen(function* () {
    const latch = yield* Latch.make()
    yield* Effect.gen(function* () {
      const rejections = yield* Rejections
      yield* Effect.forEach(Arr.range(1, 100), (n) => rejections.record(`stall:${n}`, refusal("impossible")))
      assert.deepStrictEqual(yield* stored, [])
      yield* latch.open
      yield* storesAtLast(100)
      assert.strictEqual(yield* counted("impossible"), 100)
    }).pipe(Effect.provide(Rejections.layer.pipe(Layer.provideMerge(stalling(latch)))))
  }),
)

it.effect("drops and counts the oldest rejections when the log is stalled for long", () =>
  Effect.gen(function* () {
    const latch = yield* Latch.make()
    yield* Effect.gen(function* () {
      const rejections = yield* Rejections
      const before = Number((yield* Metric.value(rejectionsDropped)).count)
      yield* Effect.forEach(Arr.range(1, 1_500), (n) => rejections.record(`full:${n}`, refusal("early")))
      const dropped = Number((yield* Metric.value(rejectionsDropped)).count) - before
      assert.isAtLeast(dropped, 450)
      yield* latch.open
      yield* storesAtLast(1_500 - dropped)
      assert.strictEqual(yield* counted("early"), 1_500)
    }).pipe(Effect.provide(Rejections.layer.pipe(Layer.provideMerge(stalling(latch)))))
  }),
)

it.effect("stores waiting rejections before its scope closes", () =>
  Effect.gen(function* () {
    yield* Effect.gen(function* () {
      const rejections = yield* Rejections
      yield* Effect.forEach(Arr.range(1, 20), (n) => rejections.record(`end:${n}`, refusal("late")))
    }).pipe(Effect.provide(Rejections.layer, { local: true }))
    assert.strictEqual((yield* stored).length, 20)
  }).pipe(Effect.provide(EventLogMemory.layer({ streams }))),
)

it.effect("counts an expected rejection without storing it", () =>
  Effect.gen(function* () {
    const rejections = yield* Rejections
    yield* rejections.count("backup_standby")
    assert.strictEqual(yield* counted("backup_standby"), 1)
    assert.deepStrictEqual(yield* stored, [])
  }).pipe(
    Effect.provide(Rejections.layer.pipe(Layer.provideMerge(EventLogMemory.layer({ streams })))),
    Effect.provideService(Metric.MetricRegistry, new Map()),
  ),
)
