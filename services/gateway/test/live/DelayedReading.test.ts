/**
 * The delayed tier follows the log's clock. A gateway with a wrong clock sends nothing early and buffers nothing in
 * memory.
 */
import { assert, describe, it } from "@effect/vitest"
import { EventLog, LogError, type LogRecord } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { allLive, LIVE, liveMessageId, liveSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { Clock, Effect, Schedule, Stream } from "effect"
import { TestClock } from "effect/testing"
import { DelayedReading } from "../../src/live/DelayedReading.ts"
import { LogClock } from "../../src/live/LogClock.ts"

const DELAY_MS = 60_000
const HOUR_MS = 3_600_000
const id = matchId(9_001)
const bytes = new Uint8Array([1])

/** A log whose times differ from the gateway's clock by this many ms. */
const shifted = Effect.fnUntraced(function* (byMs: () => number) {
  const log = yield* EventLog
  const clock = yield* Clock.Clock
  const appended = new Map<number, number>()
  const shift = (record: LogRecord): LogRecord => ({ ...record, appendedAt: appended.get(record.sequence) ?? Number.NaN })
  let pulled = 0
  const counted = <E>(records: Stream.Stream<LogRecord, E>) =>
    records.pipe(
      Stream.rechunk(1),
      Stream.tap(() =>
        Effect.sync(() => {
          pulled += 1
        }),
      ),
      Stream.map(shift),
    )
  return {
    pulled: () => pulled,
    append: (seq: number) =>
      Effect.map(log.append(liveSubject(id), liveMessageId(id, 1, seq), bytes), ({ sequence }) => {
        appended.set(sequence, clock.currentTimeMillisUnsafe() + byMs())
      }),
    log: EventLog.of({
      ...log,
      read: (...asked) => counted(log.read(...asked)),
      consume: (...asked) => counted(log.consume(...asked)),
      now: Effect.sync(() => clock.currentTimeMillisUnsafe() + byMs()),
    }),
  }
})

/** Reads for the delayed tier, and reads again if that fails. */
const readingOf = Effect.fnUntraced(function* (log: EventLog["Service"]) {
  const clock = yield* Clock.Clock
  const taken: Array<{ readonly sequence: number; readonly at: number }> = []
  const logClock = new LogClock(() => Number(clock.monotonicTimeNanosUnsafe()) / 1e6)
  const verifyLogTime = Effect.map(log.now, (now) => logClock.set(now))
  const reading = new DelayedReading({
    log,
    stream: LIVE,
    filter: allLive,
    clock: logClock,
    delayMs: DELAY_MS,
    verifyLogTime,
    take: ({ sequence }) => taken.push({ sequence, at: clock.currentTimeMillisUnsafe() }),
  })
  yield* verifyLogTime
  yield* reading.catchUp
  yield* Effect.forkChild(Effect.retry(reading.follow, Schedule.spaced("1 second")))
  return { taken, logClock, sequences: () => taken.map(({ sequence }) => sequence) }
})

describe("DelayedReading", () => {
  for (const [name, byMs] of [
    ["is right", 0],
    ["is an hour behind the log's", HOUR_MS],
    ["is an hour ahead of the log's", -HOUR_MS],
  ] as const) {
    it.effect(`passes each record on after exactly its delay, with a gateway clock that ${name}`, () =>
      Effect.gen(function* () {
        yield* TestClock.adjust("10 hours")
        const { append, log } = yield* shifted(() => byMs)
        yield* append(1)
        yield* TestClock.adjust("30 seconds")
        yield* append(2)
        yield* TestClock.adjust("30 seconds")
        const { sequences } = yield* readingOf(log)
        assert.deepStrictEqual(sequences(), [1])
        yield* append(3)
        yield* TestClock.adjust(29_999)
        assert.deepStrictEqual(sequences(), [1])
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(sequences(), [1, 2])
        yield* TestClock.adjust(29_999)
        assert.deepStrictEqual(sequences(), [1, 2])
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(sequences(), [1, 2, 3])
      }).pipe(Effect.provide(EventLogMemory.layer({ streams }))),
    )
  }

  it.effect("stops reading while the next record is too young, however many follow", () =>
    Effect.gen(function* () {
      const { append, log, pulled } = yield* shifted(() => 0)
      yield* Effect.forEach(
        Array.from({ length: 5_000 }, (_, index) => index + 1),
        append,
      )
      const { sequences } = yield* readingOf(log)
      yield* TestClock.adjust("59 seconds")
      assert.deepStrictEqual(sequences(), [])
      assert.isBelow(pulled(), 50)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(sequences().length, 5_000)
    }).pipe(Effect.provide(EventLogMemory.layer({ streams }))),
  )

  it.effect("requests the log's time again if its clock was set back, so that no record passes early", () =>
    Effect.gen(function* () {
      let byMs = 0
      const { append, log } = yield* shifted(() => byMs)
      yield* TestClock.adjust("10 hours")
      yield* append(1)
      const { sequences } = yield* readingOf(log)
      yield* TestClock.adjust(DELAY_MS)
      assert.deepStrictEqual(sequences(), [1])
      byMs = -HOUR_MS
      yield* append(2)
      yield* TestClock.adjust(DELAY_MS - 1)
      assert.deepStrictEqual(sequences(), [1])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(sequences(), [1, 2])
    }).pipe(Effect.provide(EventLogMemory.layer({ streams }))),
  )

  it.effect("passes no record early after the log has failed to report its time", () =>
    Effect.gen(function* () {
      let byMs = 0
      let failures = 0
      const { append, log } = yield* shifted(() => byMs)
      yield* TestClock.adjust("10 hours")
      yield* append(1)
      const unavailable = new LogError({ operation: "now", target: LIVE, reason: "Unavailable", retryable: true, detail: "no answer" })
      const now = Effect.suspend(() => (failures-- > 0 ? Effect.fail(unavailable) : log.now))
      const { sequences } = yield* readingOf(EventLog.of({ ...log, now }))
      yield* TestClock.adjust(DELAY_MS)
      assert.deepStrictEqual(sequences(), [1])
      byMs = -HOUR_MS
      failures = 3
      yield* append(2)
      yield* TestClock.adjust(DELAY_MS - 1)
      assert.deepStrictEqual(sequences(), [1])
      assert.isBelow(failures, 0)
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(sequences(), [1, 2])
    }).pipe(Effect.provide(EventLogMemory.layer({ streams }))),
  )
})
