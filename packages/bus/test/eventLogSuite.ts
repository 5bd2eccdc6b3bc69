/**
 * Contract tests that every driver of the `EventLog` port must pass. A driver's test file calls this with its layer and
 * adds only its own capabilities (surviving a kill or a cut connection). Runs on the live clock because drivers have
 * real timeouts.
 */
import { assert, layer } from "@effect/vitest"
import { Array as Arr, Deferred, Effect, Fiber, type Layer, Option, Ref, Stream } from "effect"
import { EventLog, type From, LogError, type StreamSpec } from "../src/EventLog.ts"
import { fencedAppendTests } from "./fencedAppendTests.ts"
import { bytes, first, numbers, text } from "./records.ts"

const streams: ReadonlyArray<StreamSpec> = [
  { name: "FEED", subjects: ["feed.>"], maxBytes: 64_000_000 },
  { name: "CROWD", subjects: ["crowd.*"], maxBytes: 64_000_000 },
  { name: "SMALL", subjects: ["small.*"], maxBytes: 64_000 },
  { name: "SLOW", subjects: ["slow.*"], maxBytes: 64_000 },
  { name: "FENCED", subjects: ["fenced.>"], maxBytes: 64_000 },
  { name: "EMPTY", subjects: ["empty.*", "void.>"], maxBytes: 64_000 },
]

const fresh: From = { _tag: "New" }
const after = (sequence: number): From => ({ _tag: "After", sequence })

/** Appends `count` records with their number as payload and returns their sequences. */
const appendNumbered = (subject: string, count: number, prefix = subject) =>
  Effect.gen(function* () {
    const log = yield* EventLog
    const appended = yield* Effect.forEach(Arr.range(1, count), (n) => log.append(subject, `${prefix}:${n}`, bytes(`${n}`)))
    return appended.map((it) => it.sequence)
  })

export interface SuiteOptions {
  readonly driver: string
  readonly layer: (streams: ReadonlyArray<StreamSpec>) => Layer.Layer<EventLog, LogError>
  /** Number of consumers that the server still has for a stream, for drivers with a server. */
  readonly openConsumers?: (stream: string) => Effect.Effect<number>
}

export const eventLogSuite = (options: SuiteOptions): void => {
  layer(options.layer(streams), { excludeTestServices: true })(`EventLog contract: ${options.driver}`, (it) => {
    it.effect("preserves order, subject, id, payload and time", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const sequences = yield* appendNumbered("feed.order.1", 20)
        const records = yield* log.consume("FEED", "feed.order.1", first).pipe(Stream.take(20), Stream.runCollect)
        assert.deepStrictEqual(records.map(text), numbers(20))
        assert.deepStrictEqual(
          records.map((it) => it.sequence),
          sequences,
        )
        assert.deepStrictEqual(
          records.map((it) => it.id),
          numbers(20).map((n) => `feed.order.1:${n}`),
        )
        for (const [i, record] of records.entries()) {
          assert.strictEqual(record.subject, "feed.order.1")
          assert.isTrue(record.appendedAt > 1_600_000_000_000 && record.appendedAt < 4_000_000_000_000)
          assert.isTrue(record.appendedAt >= (records[i - 1]?.appendedAt ?? 0))
        }
      }),
    )

    it.effect("appends an id once, even if it is repeated concurrently", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const one = yield* log.append("feed.dedupe.1", "dedupe é #1", bytes("1"))
        const again = yield* log.append("feed.dedupe.1", "dedupe é #1", bytes("changed"))
        assert.deepStrictEqual([one.duplicate, again.duplicate, again.sequence], [false, true, one.sequence])
        const racing = yield* Effect.all(
          Arr.range(1, 20).map(() => log.append("feed.dedupe.1", "dedupe:2", bytes("2"))),
          { concurrency: "unbounded" },
        )
        assert.strictEqual(racing.filter((it) => !it.duplicate).length, 1)
        assert.strictEqual(new Set(racing.map((it) => it.sequence)).size, 1)
        const kept = yield* log.read("FEED", "feed.dedupe.1", first).pipe(Stream.runCollect)
        assert.deepStrictEqual(kept.map(text), ["1", "2"])
      }),
    )

    fencedAppendTests(it)

    it.effect("returns a time between the previous and the next record", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        for (const round of Arr.range(1, 10)) {
          yield* log.append("feed.clock.1", `clock:${round}:before`, bytes(""))
          const before = Option.getOrThrow(yield* log.last("FEED", "feed.clock.1"))
          const now = yield* log.now
          yield* log.append("feed.clock.1", `clock:${round}:after`, bytes(""))
          const next = Option.getOrThrow(yield* log.last("FEED", "feed.clock.1"))
          assert.isAtLeast(now, before.appendedAt)
          assert.isAtMost(now, next.appendedAt)
        }
      }),
    )

    it.effect("consumes from First, After and New", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const sequences = yield* appendNumbered("feed.from.1", 10)
        const all = yield* log.consume("FEED", "feed.from.1", first).pipe(Stream.take(10), Stream.runCollect)
        assert.deepStrictEqual(all.map(text), numbers(10))
        const rest = yield* log.consume("FEED", "feed.from.1", after(sequences[6] ?? 0)).pipe(Stream.take(3), Stream.runCollect)
        assert.deepStrictEqual(rest.map(text), ["8", "9", "10"])

        // A New consumer takes its position at an unknown moment, so append until it receives a record.
        const place = yield* Deferred.make<number>()
        const consumer = yield* log.consume("FEED", "feed.from.1", fresh).pipe(
          Stream.tap((record) => Deferred.succeed(place, Number(text(record)))),
          Stream.take(5),
          Stream.runCollect,
          Effect.forkScoped,
        )
        const next = yield* Ref.make(11)
        const append = Ref.getAndUpdate(next, (n) => n + 1).pipe(
          Effect.flatMap((n) => log.append("feed.from.1", `from:${n}`, bytes(`${n}`))),
          Effect.andThen(Effect.sleep("5 millis")),
        )
        yield* Effect.race(Effect.forever(append), Deferred.await(place))
        yield* Effect.repeat(append, { times: 5 })
        const start = yield* Deferred.await(place)
        assert.isTrue(start > 10)
        const got = yield* Fiber.join(consumer)
        assert.deepStrictEqual(got.map(text), Arr.range(start, start + 4).map(String))
      }),
    )

    it.effect("continues with records appended after it caught up", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const seen = yield* Ref.make(0)
        const caughtUp = yield* Deferred.make<void>()
        const consumer = yield* log.consume("FEED", "feed.live.*", first).pipe(
          Stream.tap(() =>
            Ref.updateAndGet(seen, (n) => n + 1).pipe(
              Effect.flatMap((n) => (n === 3 ? Deferred.succeed(caughtUp, undefined) : Effect.void)),
            ),
          ),
          Stream.take(6),
          Stream.runCollect,
          Effect.forkScoped,
        )
        yield* appendNumbered("feed.live.1", 3)
        yield* Deferred.await(caughtUp)
        yield* appendNumbered("feed.live.2", 3)
        const records = yield* Fiber.join(consumer)
        assert.deepStrictEqual(records.map(text), ["1", "2", "3", "1", "2", "3"])
      }),
    )

    it.effect("filters by * and >, in sequence order", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        for (const [i, subject] of ["feed.w.a.1", "feed.w.b.1", "feed.w.a.2", "feed.w.a", "feed.w.a.1.x"].entries()) {
          yield* log.append(subject, `w:${i}`, bytes(subject))
        }
        const subjectsOf = (filter: string) => log.read("FEED", filter, first).pipe(Stream.map(text), Stream.runCollect)
        assert.deepStrictEqual(yield* subjectsOf("feed.w.a.*"), ["feed.w.a.1", "feed.w.a.2"])
        assert.deepStrictEqual(yield* subjectsOf("feed.w.*.1"), ["feed.w.a.1", "feed.w.b.1"])
        assert.deepStrictEqual(yield* subjectsOf("feed.w.a.>"), ["feed.w.a.1", "feed.w.a.2", "feed.w.a.1.x"])
        assert.deepStrictEqual(yield* subjectsOf("feed.w.*"), ["feed.w.a"])
        assert.deepStrictEqual(yield* subjectsOf("feed.w.none"), [])
      }),
    )

    it.effect("delivers only its own records to an exact consumer among many subjects", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        yield* Effect.forEach(Arr.range(1, 1_000), (n) => log.append(`feed.many.${n % 100}`, `many:${n}`, bytes(`${n}`)), {
          concurrency: 50,
        })
        const records = yield* log.consume("FEED", "feed.many.42", first).pipe(Stream.take(10), Stream.runCollect)
        assert.deepStrictEqual(
          records.map((it) => Number(text(it))).sort((a, b) => a - b),
          Arr.range(0, 9).map((n) => n * 100 + 42),
        )
        assert.isTrue(records.every((it) => it.subject === "feed.many.42"))
      }),
    )

    it.effect("delivers every record to every consumer", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const consume = log.consume("FEED", "feed.two.1", first).pipe(Stream.take(200), Stream.map(text), Stream.runCollect)
        const [left, right] = yield* Effect.all([consume, consume, appendNumbered("feed.two.1", 200)], { concurrency: 3 })
        assert.deepStrictEqual(left, numbers(200))
        assert.deepStrictEqual(right, numbers(200))
      }),
    )

    it.effect("delivers payloads of 0 bytes and of 512 KB unchanged", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const big = Uint8Array.from({ length: 512 * 1024 }, (_, i) => (i * 31) % 251)
        yield* log.append("feed.big.1", "big", big)
        yield* log.append("feed.big.1", "nothing", new Uint8Array(0))
        const records = yield* log.read("FEED", "feed.big.1", first).pipe(Stream.runCollect)
        assert.deepStrictEqual(
          records.map((it) => it.data.byteLength),
          [512 * 1024, 0],
        )
        assert.isTrue(Buffer.from(big).equals(records[0]?.data ?? new Uint8Array(0)))
      }),
    )

    it.effect("loses and repeats none of 5,000 records under concurrent appenders", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const live = yield* log.consume("CROWD", "crowd.*", first).pipe(Stream.take(5_000), Stream.runCollect, Effect.forkScoped)
        yield* Effect.forEach(Arr.range(1, 8), (n) => appendNumbered(`crowd.${n}`, 625), { concurrency: 8 })
        const late = yield* log.consume("CROWD", ">", first).pipe(Stream.take(5_000), Stream.runCollect)
        for (const records of [yield* Fiber.join(live), late]) {
          assert.deepStrictEqual(
            records.map((it) => it.sequence),
            Arr.range(1, 5_000),
          )
          for (const n of Arr.range(1, 8)) {
            assert.deepStrictEqual(records.filter((it) => it.subject === `crowd.${n}`).map(text), numbers(625))
          }
        }
      }),
    )

    it.effect("reads the records that match one of several filters, in the order of the log", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const filters = ["feed.filters.*.1", "feed.filters.b.2"] as const
        const subjects = ["feed.filters.a.1", "feed.filters.a.2", "feed.filters.b.1", "feed.filters.b.2"]
        const wanted = numbers(200).filter((n) => Number(n) % 4 !== 1)
        const append = (from: number, to: number) =>
          Effect.forEach(Arr.range(from, to), (n) => log.append(subjects[n % 4] ?? "", `filters:${n}`, bytes(`${n}`)))
        yield* append(1, 100)
        const stored = yield* log.read("FEED", filters, first).pipe(Stream.runCollect)
        assert.deepStrictEqual(stored.map(text), wanted.slice(0, 75))
        const seen = yield* Deferred.make<void>()
        const consumer = yield* log.consume("FEED", filters, first).pipe(
          Stream.tap((record) => (text(record) === "100" ? Deferred.succeed(seen, undefined) : Effect.void)),
          Stream.take(150),
          Stream.runCollect,
          Effect.forkScoped,
        )
        yield* Deferred.await(seen)
        yield* append(101, 200)
        assert.deepStrictEqual((yield* Fiber.join(consumer)).map(text), wanted)
        assert.deepStrictEqual(yield* log.read("FEED", ["feed.nobody.1", "feed.nobody.2"], first).pipe(Stream.runCollect), [])
      }),
    )

    it.effect("returns the last record of a subject or a filter", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const sequences = yield* appendNumbered("feed.last.1", 3)
        yield* appendNumbered("feed.last.2", 1)
        const last = Option.getOrThrow(yield* log.last("FEED", "feed.last.1"))
        assert.deepStrictEqual([last.sequence, last.id, text(last), last.subject], [sequences[2], "feed.last.1:3", "3", "feed.last.1"])
        const [read] = yield* log.read("FEED", "feed.last.2", first).pipe(Stream.runCollect)
        assert.deepStrictEqual(Option.getOrThrow(yield* log.last("FEED", "feed.last.2")).appendedAt, read?.appendedAt)
        assert.isTrue(Option.isNone(yield* log.last("FEED", "feed.last.3")))
        const newest = Option.getOrThrow(yield* log.last("FEED", "feed.last.*"))
        assert.deepStrictEqual([newest.sequence, newest.subject], [read?.sequence, "feed.last.2"])
        assert.isTrue(Option.isNone(yield* log.last("FEED", "feed.last.*.1")))
      }),
    )

    it.effect("drops the oldest records beyond maxBytes and reports it in bounds", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        assert.deepStrictEqual(yield* log.bounds("EMPTY"), { first: 1, last: 0 })
        const payload = new Uint8Array(1_000)
        yield* Effect.forEach(Arr.range(1, 200), (n) => log.append(`small.${n % 3}`, `small:${n}`, payload))
        const bounds = yield* log.bounds("SMALL")
        assert.strictEqual(bounds.last, 200)
        assert.isTrue(bounds.first > 130 && bounds.first < 180, `first kept: ${bounds.first}`)
        const kept = yield* log.read("SMALL", ">", after(1)).pipe(Stream.runCollect)
        assert.deepStrictEqual(
          kept.map((it) => it.sequence),
          Arr.range(bounds.first, 200),
        )
      }),
    )

    it.effect("fails a consumer that would read across a gap", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const started = yield* Deferred.make<void>()
        const goOn = yield* Deferred.make<void>()
        const consumer = yield* log.consume("SLOW", "slow.*", first).pipe(
          Stream.runForEach(() => Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(goOn))),
          Effect.flip,
          Effect.forkScoped,
        )
        yield* log.append("slow.1", "slow:0", bytes("0"))
        yield* Deferred.await(started)
        const payload = new Uint8Array(1_000)
        yield* Effect.forEach(Arr.range(1, 2_000), (n) => log.append("slow.1", `slow:${n}`, payload), { concurrency: 20 })
        yield* Deferred.succeed(goOn, undefined)
        const error = yield* Fiber.join(consumer)
        assert.deepStrictEqual([error.operation, error.reason, error.retryable], ["consume", "Dropped", false])
      }),
    )

    it.effect("ends a read at the last existing record without waiting", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const sequences = yield* appendNumbered("feed.read.1", 1_500)
        yield* appendNumbered("feed.read.2", 2)
        const read = (from: From) => log.read("FEED", "feed.read.1", from).pipe(Stream.map(text), Stream.runCollect)
        assert.deepStrictEqual(yield* read(first), numbers(1_500))
        assert.deepStrictEqual(yield* read(after(sequences[1_497] ?? 0)), ["1499", "1500"])
        assert.deepStrictEqual(yield* read(after(sequences[1_499] ?? 0)), [])
        assert.deepStrictEqual(yield* read(fresh), [])
        assert.deepStrictEqual(yield* log.read("EMPTY", ">", first).pipe(Stream.runCollect), [])
      }),
    )

    it.effect("fails readers that have read more than the log has, because it is another log", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        yield* appendNumbered("feed.beyond.1", 1)
        const { last } = yield* log.bounds("FEED")
        for (const operation of ["read", "consume"] as const) {
          const error = yield* log[operation]("FEED", "feed.beyond.1", after(last + 1)).pipe(Stream.runDrain, Effect.flip)
          assert.deepStrictEqual([error.operation, error.reason, error.retryable], [operation, "HistoryLost", false])
        }
        const next = yield* log
          .consume("FEED", "feed.beyond.1", after(last))
          .pipe(Stream.take(1), Stream.map(text), Stream.runCollect, Effect.forkScoped({ startImmediately: true }))
        yield* log.append("feed.beyond.1", "beyond:2", bytes("2"))
        assert.deepStrictEqual(yield* Fiber.join(next), ["2"])
      }),
    )

    it.effect("releases an interrupted consumer at once", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        yield* appendNumbered("feed.stop.1", 10)
        const seen = yield* Ref.make(0)
        const caughtUp = yield* Deferred.make<void>()
        const consumer = yield* log.consume("FEED", "feed.stop.*", first).pipe(
          Stream.runForEach(() =>
            Ref.updateAndGet(seen, (n) => n + 1).pipe(
              Effect.flatMap((n) => (n === 10 ? Deferred.succeed(caughtUp, undefined) : Effect.void)),
            ),
          ),
          Effect.forkScoped,
        )
        yield* Deferred.await(caughtUp)
        yield* Fiber.interrupt(consumer).pipe(Effect.timeout("2 seconds"))
        yield* appendNumbered("feed.stop.2", 10)
        assert.strictEqual(yield* Ref.get(seen), 10)
        if (options.openConsumers !== undefined) assert.strictEqual(yield* options.openConsumers("FEED"), 0)
      }),
    )

    it.effect("rejects invalid subjects, ids, filters, streams and sizes", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const nothing = new Uint8Array(0)
        const reasonOf = <A>(effect: Effect.Effect<A, LogError>) =>
          Effect.map(Effect.flip(effect), (error) => {
            assert.instanceOf(error, LogError)
            assert.isFalse(error.retryable)
            return error.reason
          })
        for (const subject of ["nobody.keeps.this", "feed", "feed..1", "feed.*.1", "feed.a b", "feed.>", ""]) {
          assert.strictEqual(yield* reasonOf(log.append(subject, "refused:1", nothing)), "Invalid", subject)
        }
        for (const id of ["", " padded", "line\nbreak", "x".repeat(513)]) {
          assert.strictEqual(yield* reasonOf(log.append("feed.refuse.1", id, nothing)), "Invalid", id)
        }
        assert.strictEqual(yield* reasonOf(log.append("small.1", "too large", new Uint8Array(70_000))), "TooLarge")
        assert.strictEqual(yield* reasonOf(Stream.runDrain(log.consume("NONE", "feed.1", first))), "Invalid")
        assert.strictEqual(yield* reasonOf(Stream.runDrain(log.consume("FEED", "feed..1", first))), "Invalid")
        assert.strictEqual(yield* reasonOf(Stream.runDrain(log.consume("FEED", "other.1", first))), "Invalid")
        assert.strictEqual(yield* reasonOf(Stream.runDrain(log.read("NONE", "feed.1", first))), "Invalid")
        assert.strictEqual(yield* reasonOf(Stream.runDrain(log.read("FEED", ["feed.1", "other.1"], first))), "Invalid")
        assert.strictEqual(yield* reasonOf(log.last("FEED", "feed..1")), "Invalid")
        assert.strictEqual(yield* reasonOf(log.last("FEED", "other.1")), "Invalid")
        assert.strictEqual(yield* reasonOf(log.bounds("NONE")), "Invalid")
      }),
    )
  })
}
