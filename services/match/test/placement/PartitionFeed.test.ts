import { assert, describe, it } from "@effect/vitest"
import { EventLog, type From, LogError, type LogRecord } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { FEED, feedSubject, PARTITIONS, streams } from "@matchpoint/contracts/bus/subjects"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { MatchId } from "@matchpoint/domain/ids"
import { Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { coalesced } from "../../src/placement/coalesced.ts"
import { lagCheck } from "../../src/placement/lagCheck.ts"
import { openPartitionFeed } from "../../src/placement/PartitionFeed.ts"
import { PartitionHost } from "../../src/placement/PartitionHost.ts"

/** Three matches of one partition, and one of another. */
const one = matchId(PARTITIONS + 5)
const two = matchId(2 * PARTITIONS + 5)
const three = matchId(3 * PARTITIONS + 5)
const elsewhere = matchId(6)

const first: From = { _tag: "First" }
const after = (sequence: number): From => ({ _tag: "After", sequence })

const append = Effect.fnUntraced(function* (match: MatchId, count: number, label = "") {
  const log = yield* EventLog
  for (let n = 0; n < count; n++) yield* log.append(feedSubject(match), `${match}:${label}${n}`, new Uint8Array(8))
})

/** Counts the consumers that were opened on the log, by filter. */
const counting = Effect.map(EventLog, (log) => {
  const opened: Array<string> = []
  const counted: EventLog["Service"] = {
    ...log,
    read: (stream, filter, from) => {
      opened.push(`read ${filter}`)
      return log.read(stream, filter, from)
    },
    consume: (stream, filter, from) => {
      opened.push(`consume ${filter}`)
      return log.consume(stream, filter, from)
    },
  }
  return { log: counted, opened }
})

const open = Effect.fnUntraced(function* (log: EventLog["Service"], positions: ReadonlyMap<MatchId, number>) {
  return yield* openPartitionFeed({ log, partition: 5, positions, bounds: yield* coalesced(log.bounds(FEED)) })
})

const dropped = new LogError({ operation: "consume", target: FEED, reason: "Dropped", retryable: false, detail: "of the test" })
const noAnswer = new LogError({ operation: "bounds", target: FEED, reason: "Unavailable", retryable: true, detail: "of the test" })

/** The feed of a process that takes over two matches, whose checkpoints are at the first record. */
const openForTwo = (log: EventLog["Service"]) =>
  open(
    log,
    new Map([
      [one, 1],
      [two, 1],
    ]),
  )

const sequences = (records: ReadonlyArray<LogRecord>) => records.map(({ sequence }) => sequence)

describe("the feed of a partition", () => {
  it.effect("gives each match its own records after its checkpoint, with one consumer of the partition", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 5; round++) for (const match of [one, two, elsewhere, three]) yield* append(match, 1, `${round}.`)
      const { log, opened } = yield* counting
      // The records of `one` are 1, 5, 9, …, those of `two` are 2, 6, 10, ….
      const feed = yield* open(
        log,
        new Map([
          [one, 5],
          [two, 14],
        ]),
      )
      assert.deepStrictEqual(sequences(yield* Stream.runCollect(feed.of(one).read(after(5)))), [9, 13, 17])
      assert.deepStrictEqual(sequences(yield* Stream.runCollect(feed.of(two).read(after(14)))), [18])
      const followed = yield* feed.of(two).consume(after(18)).pipe(Stream.take(3), Stream.runCollect, Effect.forkChild)
      yield* append(one, 2, "later")
      yield* append(two, 3, "later")
      assert.deepStrictEqual(sequences(yield* Fiber.join(followed)), [23, 24, 25])
      assert.deepStrictEqual(opened, ["consume feed.*.5.*"])
    }).pipe(Effect.scoped, Effect.provide(EventLogMemory.layer({ streams }))),
  )

  it.effect("gives a match without a checkpoint all its records", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      yield* append(one, 3)
      const feed = yield* open(log, new Map([[two, 3]]))
      yield* append(one, 2, "later")
      assert.deepStrictEqual(sequences(yield* Stream.runCollect(feed.of(one).read(first))), [1, 2, 3, 4, 5])
      assert.deepStrictEqual(yield* Stream.runCollect(feed.of(three).read(first)), [])
    }).pipe(Effect.scoped, Effect.provide(EventLogMemory.layer({ streams }))),
  )

  it.effect("loses no record of a match that reads slowly", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      yield* append(one, 1)
      const feed = yield* openForTwo(log)
      // More records than the buffer of a match holds.
      yield* append(one, 10_000, "many")
      yield* append(two, 1)
      // The feed of the other match is not held up.
      assert.deepStrictEqual(sequences(yield* Stream.runCollect(feed.of(two).read(after(1)))), [10_002])
      const read = yield* feed.of(one).consume(after(1)).pipe(Stream.take(10_000), Stream.runCollect)
      assert.deepStrictEqual(
        sequences(read),
        Array.from({ length: 10_000 }, (_, n) => n + 2),
      )
    }).pipe(Effect.scoped, Effect.provide(EventLogMemory.layer({ streams }))),
  )

  it.effect("starts at the end of FEED if checkpoints lie beyond it, because FEED was lost or restored", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      yield* append(one, 2)
      const feed = yield* open(log, new Map([[one, 500]]))
      const own = yield* feed.of(one).consume(first).pipe(Stream.take(3), Stream.runCollect, Effect.forkChild)
      const begun = yield* feed.of(two).consume(first).pipe(Stream.take(1), Stream.runCollect, Effect.forkChild)
      yield* Effect.yieldNow
      yield* append(one, 1, "later")
      yield* append(two, 1)
      assert.deepStrictEqual(sequences(yield* Fiber.join(own)), [1, 2, 3])
      assert.deepStrictEqual(sequences(yield* Fiber.join(begun)), [4])
    }).pipe(Effect.scoped, Effect.provide(EventLogMemory.layer({ streams }))),
  )

  it.effect("lets no match read across a hole, although the log does not answer after the failure", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      let failures = 0
      let unanswered = 0
      const broken: EventLog["Service"] = {
        ...log,
        consume: (stream, filter, from) =>
          failures++ === 0
            ? Stream.concat(Stream.take(log.consume(stream, filter, from), 1), Stream.fail(dropped))
            : log.consume(stream, filter, from),
        bounds: (stream) => Effect.suspend(() => (failures > 0 && unanswered++ < 2 ? Effect.fail(noAnswer) : log.bounds(stream))),
      }
      const feed = yield* open(broken, new Map())
      const followed = yield* Effect.forkChild(Effect.flip(Stream.runDrain(feed.of(one).consume(first))))
      yield* TestClock.adjust(1)
      yield* append(one, 1)
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* Fiber.join(followed)).reason, "Dropped")
    }).pipe(Effect.scoped, Effect.provide(EventLogMemory.layer({ streams }))),
  )

  it.effect("gives a match that failed all records after its checkpoint again", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      yield* append(one, 5)
      const feed = yield* open(log, new Map([[one, 1]]))
      for (const readAgain of [() => feed.of(one).read(after(1)), () => feed.of(one).consume(after(1)).pipe(Stream.take(4))]) {
        const failed = yield* Effect.exit(Stream.runForEach(readAgain(), () => Effect.fail("lost")))
        assert.strictEqual(failed._tag, "Failure")
        assert.deepStrictEqual(sequences(yield* Stream.runCollect(readAgain())), [2, 3, 4, 5])
      }
    }).pipe(Effect.scoped, Effect.provide(EventLogMemory.layer({ streams }))),
  )

  it.effect("lets a match start again where it stopped", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      yield* append(one, 4)
      const feed = yield* open(log, new Map([[one, 1]]))
      assert.deepStrictEqual(sequences(yield* feed.of(one).consume(after(1)).pipe(Stream.take(2), Stream.runCollect)), [2, 3])
      yield* append(one, 1, "later")
      assert.deepStrictEqual(sequences(yield* feed.of(one).consume(after(3)).pipe(Stream.take(2), Stream.runCollect)), [4, 5])
    }).pipe(Effect.scoped, Effect.provide(EventLogMemory.layer({ streams }))),
  )

  it.effect("knows how long the facts of each match have been waiting for it", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      yield* append(one, 1)
      const feed = yield* openForTwo(log)
      yield* append(one, 1, "later")
      yield* TestClock.adjust("1 second")
      yield* append(one, 1, "last")
      yield* TestClock.adjust("6 seconds")
      assert.deepStrictEqual(feed.waitsMs(), [7_000, 0])
      yield* Stream.runDrain(feed.of(one).read(after(1)))
      assert.deepStrictEqual(feed.waitsMs(), [0, 0])
    }).pipe(Effect.scoped, Effect.provide(EventLogMemory.layer({ streams }))),
  )
})

describe("the lag of a match process", () => {
  it.effect.each([
    [[], "ok"],
    [[0, 5_000, 20], "ok"],
    [[6_000, 0, 0], "degraded"],
    [[6_000, 6_000, 0], "failed"],
  ] as const)("with waits of %j is %s", ([waits, status]) =>
    Effect.gen(function* () {
      const { find } = yield* lagCheck
      assert.strictEqual((yield* find).status, status)
    }).pipe(Effect.provide(Layer.mock(PartitionHost, { owns: () => true, deliveredAfter: () => [], waitsMs: () => waits }))),
  )
})

describe("a coalesced effect", () => {
  it.effect("runs once for all calls during a run, and after them", () =>
    Effect.gen(function* () {
      let runs = 0
      const shared = yield* coalesced(
        Effect.andThen(
          Effect.sleep("10 millis"),
          Effect.sync(() => ++runs),
        ),
      )
      const calls = yield* Effect.forkChild(
        Effect.all([shared, Effect.delay(shared, 1), Effect.delay(shared, 2), Effect.delay(shared, 50)], { concurrency: "unbounded" }),
      )
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(calls), [1, 2, 2, 3])
    }).pipe(Effect.scoped),
  )
})
