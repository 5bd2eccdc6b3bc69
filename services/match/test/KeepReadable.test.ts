/**
 * LIVE keeps the newest document of a quiet match, whether LIVE drops records by size or by age, and after an upgrade.
 * No owner loses its match because of it.
 */
import { assert, describe, it } from "@effect/vitest"
import { EventLog, type LogRecord } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { sinceKeyframe } from "@matchpoint/bus/sinceKeyframe"
import { cursorOfMessageId, LIVE, liveMessageId, liveSubject, streams } from "@matchpoint/contracts/bus/subjects"
import type { LiveState } from "@matchpoint/contracts/game/LiveContract"
import { kindOfRecord, readRecord } from "@matchpoint/contracts/stream/record"
import { stateAfter } from "@matchpoint/contracts/stream/stateAfter"
import type { CompactMatch } from "@matchpoint/cs2/contract/CompactMatch"
import { cs2Live } from "@matchpoint/cs2/contract/cs2Live"
import { MatchEncoder } from "@matchpoint/cs2/live/encode/MatchEncoder"
import { projectMatch } from "@matchpoint/cs2/live/projectMatch"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { fold } from "@matchpoint/cs2/rules/live/fold"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"
import { Effect, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { KeyframeRepeater } from "../src/actor/KeyframeRepeater.ts"
import { simulatedEvents } from "./simulated.ts"

const quiet = matchId(8_101)
const busy = matchId(8_102)
const HALF_DAY = "12 hours"
const HOUR_MS = 3_600_000

const logOf = (maxBytes: number) =>
  EventLogMemory.layer({ streams: streams.map((spec) => (spec.name === LIVE ? { ...spec, maxBytes } : spec)) })

/** A log whose clock is ahead of this machine's by `byMs` milliseconds. */
const shifted = (log: EventLog["Service"], byMs: number): EventLog["Service"] => {
  const shift = (record: LogRecord): LogRecord => ({ ...record, appendedAt: record.appendedAt + byMs })
  return EventLog.of({
    ...log,
    read: (...asked) => Stream.map(log.read(...asked), shift),
    consume: (...asked) => Stream.map(log.consume(...asked), shift),
    last: (...asked) => Effect.map(log.last(...asked), Option.map(shift)),
    now: Effect.map(log.now, (now) => now + byMs),
  })
}

/** Publishes the first `count` changes of a match to LIVE. */
const play = Effect.fnUntraced(function* (id: typeof quiet, count: number) {
  const log = yield* EventLog
  const encoder = new MatchEncoder()
  let state: MatchState | undefined
  for (const event of simulatedEvents(7, id).slice(0, count)) {
    const step = fold(state, event)
    if (step._tag !== "Accepted") continue
    const { epoch, seq } = step.state
    yield* log.append(liveSubject(id), liveMessageId(id, epoch, seq), encoder.encode(state, step.state, event))
    state = step.state
  }
  return { encoder, state: state ?? assert.fail("nothing was played") }
})

/** Returns the document that a new reader builds from the log. */
const readAgain = Effect.fnUntraced(function* (id: typeof quiet) {
  const log = yield* EventLog
  const newest = Option.getOrUndefined(yield* log.last(LIVE, liveSubject(id)))
  let live: LiveState | undefined
  for (const { data } of newest === undefined ? [] : yield* sinceKeyframe(log, id, newest.sequence)) {
    live = stateAfter(cs2Live, live, readRecord(data) ?? assert.fail("not a record"))
  }
  return live === undefined ? undefined : cs2Live.fullOf(live as LiveState<CompactMatch>)
})

describe("a quiet match", () => {
  it.effect("stays unchanged in a log that other matches overwrite many times, without needless repeats", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const { encoder, state } = yield* play(quiet, 50)
      const readable = new KeyframeRepeater(log, quiet, encoder, 10)
      assert.isUndefined(yield* readable.check(state))
      let repeats = 0
      const { encoder: other } = yield* play(busy, 2)
      for (let round = 0; round < 40; round++) {
        for (let n = 0; n < 20; n++) yield* log.append(liveSubject(busy), `${busy}:9:${round * 100 + n}`, other.kept(state))
        if ((yield* readable.check(state)) !== undefined) repeats += 1
        assert.deepStrictEqual<unknown>(yield* readAgain(quiet), projectMatch(state))
      }
      assert.isAbove(repeats, 3)
      assert.isBelow(repeats, 30)
      const kept = Option.getOrThrow(yield* log.last(LIVE, liveSubject(quiet)))
      assert.deepInclude(cursorOfMessageId(kept.id), { epoch: state.epoch, seq: state.seq })
      // The repeat contains the same delta as the change, so that a reader that misses only this change can continue
      // with it.
      assert.strictEqual(kindOfRecord(kept.data), "keyframe")
      assert.strictEqual(readRecord(kept.data)?.delta.base, state.seq - 1)
    }).pipe(Effect.provide(logOf(600_000))),
  )

  it.effect("stays in a log that drops records by age, and returns after all of its records were dropped", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const { encoder, state } = yield* play(quiet, 50)
      const readable = new KeyframeRepeater(log, quiet, encoder)
      for (let hours = 0; hours < 30; hours++) {
        yield* TestClock.adjust("1 hour")
        yield* readable.check(state)
        assert.deepStrictEqual<unknown>(yield* readAgain(quiet), projectMatch(state))
      }
      // No process ran the match for longer than the retention time.
      yield* TestClock.adjust(HALF_DAY)
      yield* TestClock.adjust("1 minute")
      assert.isUndefined(yield* readAgain(quiet))
      assert.isDefined(yield* new KeyframeRepeater(log, quiet, new MatchEncoder()).check(state))
      assert.deepStrictEqual<unknown>(yield* readAgain(quiet), { ...projectMatch(state) })
      assert.strictEqual(kindOfRecord(Option.getOrThrow(yield* log.last(LIVE, liveSubject(quiet))).data), "kept")
    }).pipe(Effect.provide(logOf(10_000_000))),
  )

  for (const [direction, shiftMs] of [
    ["behind", 24 * HOUR_MS],
    ["ahead of", -24 * HOUR_MS],
  ] as const) {
    it.effect(`is repeated once half of the retention time has passed, on a machine whose clock is a day ${direction} the log's`, () =>
      Effect.gen(function* () {
        yield* TestClock.adjust("48 hours")
        const log = shifted(yield* EventLog, shiftMs)
        const { encoder, state } = yield* play(quiet, 50)
        const readable = new KeyframeRepeater(log, quiet, encoder)
        const repeatedAfter: Array<number> = []
        for (let hours = 0; hours < 15; hours++) {
          if ((yield* readable.check(state)) !== undefined) repeatedAfter.push(hours)
          yield* TestClock.adjust("1 hour")
        }
        assert.deepStrictEqual(repeatedAfter, [7, 14])
      }).pipe(Effect.provide(logOf(10_000_000))),
    )
  }

  it.effect("is appended again if the log has it only in an older format", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const { state } = yield* play(busy, 30)
      const own = { ...state, matchId: quiet }
      yield* log.append(
        liveSubject(quiet),
        liveMessageId(quiet, own.epoch, own.seq),
        new TextEncoder().encode('{"type":"cs2.live.update"}\n{}'),
      )
      assert.isUndefined(yield* readAgain(quiet))
      assert.isDefined(yield* new KeyframeRepeater(log, quiet, new MatchEncoder()).check(own))
      assert.strictEqual((yield* readAgain(quiet))?.matchId, quiet)
    }).pipe(Effect.provide(logOf(10_000_000))),
  )

  it.effect("is not repeated while its log is ahead or another owner runs it", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const { encoder, state } = yield* play(quiet, 50)
      yield* TestClock.adjust("7 hours")
      const behind: MatchState = { ...state, seq: state.seq - 1 }
      assert.isUndefined(yield* new KeyframeRepeater(log, quiet, encoder).check(behind))
      const { sequence } = Option.getOrThrow(yield* log.last(LIVE, liveSubject(quiet)))
      // The other owner publishes between the check and the append.
      const overtaken = EventLog.of({
        ...log,
        append: (subject, id, data, options) =>
          Effect.andThen(log.append(subject, `${quiet}:1:${state.seq + 1}`, data), log.append(subject, id, data, options)),
      })
      assert.isUndefined(yield* new KeyframeRepeater(overtaken, quiet, encoder).check(state))
      assert.strictEqual(Option.getOrThrow(yield* log.last(LIVE, liveSubject(quiet))).sequence, sequence + 1)
    }).pipe(Effect.provide(logOf(10_000_000))),
  )
})
