/** Matches whose log was lost or restored, with facts that arrived before the match noticed. */
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import {
  allLive,
  cursorOfMessageId,
  FEED,
  feedMessageId,
  feedSubject,
  LIVE,
  liveMessageId,
  liveSubject,
  streams,
} from "@matchpoint/contracts/bus/subjects"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"
import type { MatchId } from "@matchpoint/domain/ids"
import type { RegisteredMatch } from "@matchpoint/store/live/Matches"
import { DateTime, Effect, Fiber, Option, Stream } from "effect"
import { superviseMatch } from "../src/MatchSupervisor.ts"
import { foldToRecords, simulatedEvents } from "./simulated.ts"
import { appendFacts, gone, lastCursor, services, untilCursor } from "./supervised.ts"

const log = EventLogMemory.layer({ streams })

/** A log in which a stream has another size, in bytes. */
const logWith = (stream: string, maxBytes: number) =>
  EventLogMemory.layer({ streams: streams.map((spec) => (spec.name === stream ? { ...spec, maxBytes } : spec)) })

const checkpointOf = (id: MatchId, state: MatchState, feedSequence: number) => ({
  matchId: id,
  epoch: state.epoch,
  seq: state.seq,
  feedSequence,
  formatVersion: state.format,
  state: JSON.stringify(state),
})

const stateAfter = (id: MatchId, count: number): MatchState =>
  foldToRecords(id, simulatedEvents(51, id).slice(0, count)).state ?? assert.fail("no state")

/** Ids of the records in LIVE as `epoch:seq`, oldest first. */
const publishedCursors = Effect.gen(function* () {
  const records = yield* Stream.runCollect((yield* EventLog).read(LIVE, allLive, { _tag: "First" }))
  return [...records].map(({ id }) => {
    const cursor = cursorOfMessageId(id)
    return `${cursor?.epoch}:${cursor?.seq}`
  })
})

const publish = Effect.fnUntraced(function* (id: MatchId, epoch: number, count: number) {
  const live = yield* EventLog
  const { records } = foldToRecords(id, simulatedEvents(51, id).slice(0, count))
  for (const [index, record] of records.entries()) yield* live.append(liveSubject(id), liveMessageId(id, epoch, index + 1), record)
})

describe("a log that was replaced", () => {
  it.live("gets nothing of the old epoch, even if it has new facts already", () =>
    Effect.gen(function* () {
      const id = matchId(1)
      const events = simulatedEvents(51, id)
      const load = () => Effect.succeedSome(checkpointOf(id, stateAfter(id, 100), 900))
      yield* appendFacts(events.slice(100, 130))
      const actor = yield* Effect.forkChild(superviseMatch(cs2LiveGame, id).pipe(Effect.provide(services({ checkpoints: { load } }))))
      yield* untilCursor(id, (epoch) => epoch === 2)
      yield* appendFacts(events.slice(130, 133))
      yield* untilCursor(id, (epoch, seq) => epoch === 2 && seq === 4)
      yield* Fiber.interrupt(actor)
      assert.deepStrictEqual(yield* publishedCursors, ["2:1", "2:2", "2:3", "2:4"])
    }).pipe(Effect.provide(log)),
  )

  it.live("starts a new epoch if LIVE lacks what the checkpoint has, even if FEED has grown past the checkpoint", () =>
    Effect.gen(function* () {
      const id = matchId(1)
      const events = simulatedEvents(51, id)
      const load = () => Effect.succeedSome(checkpointOf(id, stateAfter(id, 100), 20))
      yield* publish(id, 1, 3)
      yield* appendFacts(events.slice(100, 130))
      const actor = yield* Effect.forkChild(superviseMatch(cs2LiveGame, id).pipe(Effect.provide(services({ checkpoints: { load } }))))
      yield* untilCursor(id, (epoch) => epoch === 2)
      yield* Fiber.interrupt(actor)
      assert.deepStrictEqual(yield* publishedCursors, ["1:1", "1:2", "1:3", "2:1"])
    }).pipe(Effect.provide(log)),
  )

  it.live("is not what LIVE becomes when it drops the records of a match", () =>
    Effect.gen(function* () {
      const id = matchId(1)
      const events = simulatedEvents(51, id)
      yield* publish(id, 1, 100)
      const live = yield* EventLog
      for (let n = 0; n < 40; n++) yield* live.append(liveSubject(matchId(2)), `noise:${n}`, new Uint8Array(5_000))
      assert.isTrue(Option.isNone(yield* live.last(LIVE, liveSubject(id))))
      const load = () => Effect.succeedSome(checkpointOf(id, stateAfter(id, 100), 100))
      yield* appendFacts(events.slice(0, 101))
      const actor = yield* Effect.forkChild(superviseMatch(cs2LiveGame, id).pipe(Effect.provide(services({ checkpoints: { load } }))))
      yield* untilCursor(id, (epoch, seq) => epoch > 1 || seq === 101)
      yield* Fiber.interrupt(actor)
      assert.deepStrictEqual(yield* lastCursor(id), { matchId: id, epoch: 1, seq: 101 })
    }).pipe(Effect.provide(logWith(LIVE, 150_000))),
  )
})

describe("a FEED that has dropped facts after the checkpoint", () => {
  it.live("adds nothing to the old epoch with the facts that are left", () =>
    Effect.gen(function* () {
      const id = matchId(1)
      const { bounds } = yield* EventLog
      yield* publish(id, 1, 110)
      yield* appendFacts(simulatedEvents(51, id).slice(0, 150))
      const { first } = yield* bounds(FEED)
      assert(first > 101 && first < 135, `FEED begins at ${first}`)
      const load = () => Effect.succeedSome(checkpointOf(id, stateAfter(id, 100), 100))
      const actor = yield* Effect.forkChild(superviseMatch(cs2LiveGame, id).pipe(Effect.provide(services({ checkpoints: { load } }))))
      yield* untilCursor(id, (epoch) => epoch === 2)
      yield* Fiber.interrupt(actor)
      assert.deepStrictEqual((yield* publishedCursors).slice(109), ["1:110", "2:1"])
    }).pipe(Effect.provide(logWith(FEED, 12_000))),
  )
})

describe("a match that has lost history before", () => {
  it.live("waits for its checkpoint, because FEED does not reproduce it", () =>
    Effect.gen(function* () {
      const id = matchId(1)
      const events = simulatedEvents(51, id)
      let answers = 0
      const load = () =>
        Effect.suspend(() => {
          answers += 1
          return answers < 3
            ? gone("Checkpoints.load")
            : Effect.succeedSome(checkpointOf(id, { ...stateAfter(id, 20), epoch: 2, seq: 2 }, 20))
        })
      yield* publish(id, 2, 2)
      yield* appendFacts(events.slice(0, 25))
      const actor = yield* Effect.forkChild(superviseMatch(cs2LiveGame, id).pipe(Effect.provide(services({ checkpoints: { load } }))))
      yield* untilCursor(id, (epoch, seq) => epoch > 2 || seq === 7)
      yield* Fiber.interrupt(actor)
      assert.deepStrictEqual(yield* publishedCursors, ["2:1", "2:2", "2:3", "2:4", "2:5", "2:6", "2:7"])
    }).pipe(Effect.provide(log)),
  )

  it.live("starts a new epoch if its checkpoint is lost too", () =>
    Effect.gen(function* () {
      const id = matchId(1)
      const events = simulatedEvents(51, id)
      // FEED leads to epoch 2 as well, but not by the facts that it had when LIVE's records were published.
      yield* publish(id, 2, 15)
      yield* appendFacts(events.slice(0, 2))
      const lost = cs2LiveGame.rules.historyLost(id, 2, 0)
      yield* (yield* EventLog).append(feedSubject(id), feedMessageId(id, lost.id), cs2LiveGame.encodeEvent(lost))
      yield* appendFacts(events.slice(2, 22))
      const actor = yield* Effect.forkChild(superviseMatch(cs2LiveGame, id).pipe(Effect.provide(services({}))))
      yield* untilCursor(id, (epoch) => epoch === 3)
      yield* Fiber.interrupt(actor)
      assert.deepStrictEqual((yield* publishedCursors).slice(14), ["2:15", "3:1"])
    }).pipe(Effect.provide(log)),
  )

  it.live("starts a new epoch from the register if FEED has lost its first fact as well", () =>
    Effect.gen(function* () {
      const id = matchId(1)
      const events = simulatedEvents(51, id)
      const created = JSON.parse(new TextDecoder().decode(cs2LiveGame.encodeEvent(events[0] ?? assert.fail("no event"))))
      const row: RegisteredMatch = {
        matchId: id,
        status: "live",
        bestOf: 1,
        team1: { id: "cs2-team-1", name: "A" },
        team2: { id: "cs2-team-2", name: "B" },
        config: { created },
        createdAt: DateTime.makeUnsafe(0),
        startedAt: null,
        endedAt: null,
        result: null,
      }
      yield* publish(id, 2, 15)
      yield* appendFacts(events.slice(10, 22))
      const own = services({ matches: { find: () => Effect.succeedSome(row) } })
      const actor = yield* Effect.forkChild(superviseMatch(cs2LiveGame, id).pipe(Effect.provide(own)))
      yield* untilCursor(id, (epoch) => epoch === 3)
      yield* Fiber.interrupt(actor)
    }).pipe(Effect.provide(log)),
  )
})
