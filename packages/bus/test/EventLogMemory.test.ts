import { assert, it } from "@effect/vitest"
import { Array as Arr, Effect, Fiber, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { EventLog } from "../src/EventLog.ts"
import * as EventLogMemory from "../src/EventLogMemory.ts"
import { eventLogSuite } from "./eventLogSuite.ts"

eventLogSuite({ driver: "memory", layer: (streams) => EventLogMemory.layer({ streams }) })

const nothing = new Uint8Array(0)
const feed = { name: "FEED", subjects: ["feed.*"], maxBytes: 1_000_000 }

it.effect("remembers an id for at least two minutes, but not forever", () =>
  Effect.gen(function* () {
    const log = yield* EventLog
    yield* TestClock.adjust("119 seconds")
    yield* log.append("feed.1", "fact", nothing)
    yield* TestClock.adjust("120 seconds")
    assert.deepStrictEqual(yield* log.append("feed.1", "fact", nothing), { sequence: 1, duplicate: true })
    yield* TestClock.adjust("120 seconds")
    assert.deepStrictEqual(yield* log.append("feed.1", "fact", nothing), { sequence: 2, duplicate: false })
  }).pipe(Effect.provide(EventLogMemory.layer({ streams: [feed] }))),
)

it.effect("keeps an idle wildcard consumer up to date while records of other subjects are dropped", () =>
  Effect.gen(function* () {
    const log = yield* EventLog
    const consumer = yield* log.consume("FEED", "feed.a.*", { _tag: "New" }).pipe(Stream.take(1), Stream.runCollect, Effect.forkChild)
    yield* Effect.yieldNow
    yield* Effect.forEach(Arr.range(1, 500), (n) => log.append("feed.b.1", `b:${n}`, new Uint8Array(100)))
    assert.isTrue((yield* log.bounds("FEED")).first > 1)
    yield* log.append("feed.a.1", "a:1", nothing)
    const [record] = yield* Fiber.join(consumer)
    assert.strictEqual(record?.id, "a:1")
  }).pipe(Effect.provide(EventLogMemory.layer({ streams: [{ name: "FEED", subjects: ["feed.>"], maxBytes: 10_000 }] }))),
)

it.effect("rejects streams that a NATS server would reject", () =>
  Effect.gen(function* () {
    const openingFails = (...streams: Parameters<typeof EventLogMemory.layer>[0]["streams"]) =>
      Effect.flip(Effect.scoped(Effect.provide(EventLog, EventLogMemory.layer({ streams }))))
    for (const streams of [
      [feed, { ...feed, subjects: ["other.*"] }],
      [feed, { ...feed, name: "SECOND", subjects: ["feed.1"] }],
      [{ ...feed, name: "a.b" }],
      [{ ...feed, subjects: ["feed..x"] }],
      [{ ...feed, subjects: [] }],
      [{ ...feed, maxBytes: Number.NaN }],
    ]) {
      assert.strictEqual((yield* openingFails(...streams)).reason, "Invalid")
    }
  }),
)

const aged = { ...feed, maxAgeMs: 120_000 }

it.effect("drops records older than maxAgeMs, including the newest", () =>
  Effect.gen(function* () {
    const log = yield* EventLog
    yield* log.append("feed.1", "old", nothing)
    yield* TestClock.adjust("90 seconds")
    yield* log.append("feed.2", "young", nothing)
    assert.deepStrictEqual(yield* log.bounds("FEED"), { first: 1, last: 2 })
    yield* TestClock.adjust("31 seconds")
    assert.deepStrictEqual(yield* log.bounds("FEED"), { first: 2, last: 2 })
    assert.isTrue(Option.isNone(yield* log.last("FEED", "feed.1")))
    yield* TestClock.adjust("90 seconds")
    assert.deepStrictEqual(yield* log.read("FEED", "feed.*", { _tag: "First" }).pipe(Stream.runCollect), [])
    assert.deepStrictEqual(yield* log.bounds("FEED"), { first: 3, last: 2 })
    assert.deepStrictEqual(yield* log.append("feed.1", "next", nothing, { lastOfSubject: 0 }), { sequence: 3, duplicate: false })
  }).pipe(Effect.provide(EventLogMemory.layer({ streams: [aged] }))),
)

it.effect("rejects a maxAgeMs shorter than the dedupe window", () =>
  Effect.gen(function* () {
    const failed = yield* Effect.flip(
      Effect.scoped(Effect.provide(EventLog, EventLogMemory.layer({ streams: [{ ...feed, maxAgeMs: 119_999 }] }))),
    )
    assert.strictEqual(failed.reason, "Invalid")
  }),
)
