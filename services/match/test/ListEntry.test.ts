/** Lists show every match, although ENTRIES gets few records of it. */
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { cursorOfMessageId, ENTRIES, entrySubject, positionOfEntryId, streams } from "@matchpoint/contracts/bus/subjects"
import { readRecord } from "@matchpoint/contracts/stream/record"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { fold } from "@matchpoint/cs2/rules/live/fold"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { ListEntry } from "../src/actor/ListEntry.ts"
import { simulatedEvents } from "./simulated.ts"

const id = matchId(8_201)
const other = matchId(8_202)

const logOf = (maxBytes: number) =>
  EventLogMemory.layer({ streams: streams.map((spec) => (spec.name === ENTRIES ? { ...spec, maxBytes } : spec)) })

const states = (): ReadonlyArray<MatchState> => {
  const all: Array<MatchState> = []
  for (const event of simulatedEvents(7, id)) {
    const step = fold(all.at(-1), event)
    if (step._tag === "Accepted") all.push(step.state)
  }
  return all
}

const opened = Effect.map(EventLog, (log) => ({ log, entry: new ListEntry(log, id, cs2LiveGame, cs2LiveGame.encoder()) }))

const newest = Effect.gen(function* () {
  const log = yield* EventLog
  return Option.getOrUndefined(yield* log.last(ENTRIES, entrySubject(id)))
})

describe("the list entry of a match", () => {
  it.effect("follows what lists show, with one record for many changes", () =>
    Effect.gen(function* () {
      const { entry, log } = yield* opened
      const played = states()
      for (const [index, state] of played.entries()) {
        yield* TestClock.adjust("200 millis")
        yield* entry.check(state, index + 1)
        const record = (yield* newest) ?? assert.fail("no entry")
        const { document } = readRecord(record.data) ?? assert.fail("not a record")
        const [one, two] = state.seriesScore
        const status = state.status === "scheduled" ? "upcoming" : state.status
        assert.deepInclude(document, { status, seriesScore: { team1: one, team2: two } })
      }
      const { last } = yield* log.bounds(ENTRIES)
      assert.isAbove(last, 20)
      assert.isBelow(last, played.length / 10)
      const final = played.at(-1) ?? assert.fail("nothing was played")
      const record = (yield* newest) ?? assert.fail("no entry")
      assert.deepInclude(cursorOfMessageId(record.id), { matchId: id, epoch: final.epoch })
      assert.isAtMost(positionOfEntryId(record.id) ?? Number.POSITIVE_INFINITY, played.length)
    }).pipe(Effect.provide(logOf(64_000_000))),
  )

  it.effect("is replaced when it is old, but not if nothing changed", () =>
    Effect.gen(function* () {
      const { entry, log } = yield* opened
      const [first, second] = states().slice(40)
      if (first === undefined || second === undefined) return assert.fail("the match is too short")
      const later = { ...first, seq: first.seq + 1 }
      yield* entry.check(first, 41)
      yield* TestClock.adjust("20 seconds")
      yield* entry.check(later, 42)
      assert.strictEqual((yield* log.bounds(ENTRIES)).last, 1)
      yield* TestClock.adjust("10 seconds")
      yield* entry.check(later, 42)
      assert.strictEqual((yield* log.bounds(ENTRIES)).last, 2)
      yield* TestClock.adjust("1 hour")
      yield* entry.check(later, 42)
      assert.strictEqual((yield* log.bounds(ENTRIES)).last, 2)
    }).pipe(Effect.provide(logOf(64_000_000))),
  )

  it.effect("stays in a stream that the entries of other matches overwrite", () =>
    Effect.gen(function* () {
      const { entry, log } = yield* opened
      const state = states()[40] ?? assert.fail("the match is too short")
      yield* entry.check(state, 41)
      const { data } = (yield* newest) ?? assert.fail("no entry")
      for (let minute = 1; minute <= 60; minute++) {
        for (let n = 0; n < 4; n++) yield* log.append(entrySubject(other), `${other}:1:${minute}:entry:${n}`, data)
        yield* TestClock.adjust("1 minute")
        yield* entry.check(state, 41)
        assert.isDefined(yield* newest)
      }
      const { first } = yield* log.bounds(ENTRIES)
      assert.isAbove(first, 100)
    }).pipe(Effect.provide(logOf(100_000))),
  )
})
