/** Supervised matches with a slow or missing store, a trimmed or replaced FEED, or an unknown game. */
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { liveMessageId, liveSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { gameName, type MatchId, matchIdOf } from "@matchpoint/domain/ids"
import type { RegisteredMatch } from "@matchpoint/store/live/Matches"
import { DateTime, Effect, Fiber, Layer } from "effect"
import { MatchSupervisor, superviseMatch } from "../src/MatchSupervisor.ts"
import { foldToRecords, simulatedEvents } from "./simulated.ts"
import { announce, appendFacts, gone, lastCursor, services, untilCursor } from "./supervised.ts"

const rowOf = (number: number, config: RegisteredMatch["config"]): RegisteredMatch => ({
  matchId: matchId(number),
  status: "live",
  bestOf: 1,
  team1: { id: "cs2-team-1", name: "A" },
  team2: { id: "cs2-team-2", name: "B" },
  config,
  createdAt: DateTime.makeUnsafe(0),
  startedAt: null,
  endedAt: null,
  result: null,
})

const log = EventLogMemory.layer({ streams })

describe("a store that does not respond", () => {
  for (const [what, answer] of [
    ["fails", () => gone("Matches.find")],
    ["hangs", () => Effect.never],
  ] as const) {
    it.live(`interrupts and delays no match while the register ${what} for one of three`, () =>
      Effect.gen(function* () {
        const ids = [matchId(1), matchId(2), matchId(3)]
        const find = (id: MatchId) => (id === matchId(2) ? answer() : Effect.succeedNone)
        const first = simulatedEvents(31, matchId(1)).slice(0, 60)
        yield* announce(matchId(1))
        yield* appendFacts(first)
        yield* Effect.gen(function* () {
          yield* Layer.build(MatchSupervisor.layer([cs2LiveGame]))
          yield* untilCursor(matchId(1), (_, seq) => seq === 60)
          for (const id of ids.slice(1)) {
            yield* appendFacts(simulatedEvents(31, id).slice(0, 60))
            yield* announce(id)
          }
          for (const id of ids.slice(1)) yield* untilCursor(id, (_, seq) => seq === 60)
          // The first match ran without interruption.
          yield* appendFacts(simulatedEvents(31, matchId(1)).slice(60, 90))
          yield* untilCursor(matchId(1), (_, seq) => seq === 90)
        }).pipe(Effect.scoped, Effect.provide(services({ matches: { find } })))
      }).pipe(Effect.provide(log)),
    )
  }

  it.live("lets a match start from FEED alone and continue without saving", () =>
    Effect.gen(function* () {
      const id = matchId(11)
      const events = simulatedEvents(32, id)
      const { records } = foldToRecords(id, events)
      yield* appendFacts(events)
      const broken = {
        matches: { find: () => Effect.never, markLive: () => gone("Matches.markLive"), advance: () => gone("Matches.advance") },
        checkpoints: { load: () => gone("Checkpoints.load"), save: () => gone("Checkpoints.save") },
      }
      const actor = yield* Effect.forkChild(superviseMatch(cs2LiveGame, id).pipe(Effect.provide(services(broken))))
      yield* untilCursor(id, (_, seq) => seq === records.length)
      yield* Fiber.interrupt(actor)
    }).pipe(Effect.provide(log)),
  )
})

describe("a FEED that does not belong to the checkpoint", () => {
  it.live("starts a new epoch and loses no new fact if it ends before the checkpoint", () =>
    Effect.gen(function* () {
      const id = matchId(21)
      const events = simulatedEvents(33, id)
      const { state } = foldToRecords(id, events.slice(0, 100))
      if (state === undefined) return assert.fail("no state")
      const load = () =>
        Effect.succeedSome({
          matchId: id,
          epoch: 1,
          seq: state.seq,
          feedSequence: 900,
          formatVersion: state.format,
          state: JSON.stringify(state),
        })
      // The log was replaced and has none of the facts in the checkpoint.
      const actor = yield* Effect.forkChild(superviseMatch(cs2LiveGame, id).pipe(Effect.provide(services({ checkpoints: { load } }))))
      yield* untilCursor(id, (epoch) => epoch === 2)
      yield* appendFacts(events.slice(100, 160))
      yield* untilCursor(id, (epoch, seq) => epoch === 2 && seq === 61)
      yield* Fiber.interrupt(actor)
    }).pipe(Effect.provide(log)),
  )

  it.live("restarts the match from the register if neither FEED nor an old-format checkpoint describes it", () =>
    Effect.gen(function* () {
      const id = matchId(22)
      const events = simulatedEvents(34, id)
      const created = events[0] ?? assert.fail("no events")
      const load = () => Effect.succeedSome({ matchId: id, epoch: 1, seq: 50, feedSequence: 50, formatVersion: 0, state: "{}" })
      const find = () => Effect.succeedSome(rowOf(22, { feed: "intake", created: JSON.parse(JSON.stringify(created)) }))
      const real = yield* EventLog
      yield* real.append(liveSubject(id), liveMessageId(id, 1, 50), foldToRecords(id, events.slice(0, 1)).records[0] ?? new Uint8Array())
      // The first facts are missing.
      yield* appendFacts(events.slice(50, 70))
      const actor = yield* Effect.forkChild(
        superviseMatch(cs2LiveGame, id).pipe(Effect.provide(services({ checkpoints: { load }, matches: { find } }))),
      )
      yield* untilCursor(id, (epoch) => epoch === 2)
      yield* Fiber.interrupt(actor)
      assert.strictEqual((yield* lastCursor(id))?.epoch, 2)
    }).pipe(Effect.provide(log)),
  )

  it.live("may skip an epoch, because LIVE can be ahead of FEED", () =>
    Effect.gen(function* () {
      const id = matchId(23)
      const events = simulatedEvents(35, id).slice(0, 40)
      const real = yield* EventLog
      yield* appendFacts(events)
      const { records } = foldToRecords(id, events.slice(0, 1))
      yield* real.append(liveSubject(id), liveMessageId(id, 4, 9), records[0] ?? new Uint8Array())
      const actor = yield* Effect.forkChild(superviseMatch(cs2LiveGame, id).pipe(Effect.provide(services({}))))
      yield* untilCursor(id, (epoch) => epoch === 5)
      yield* appendFacts(simulatedEvents(35, id).slice(40, 60))
      yield* untilCursor(id, (epoch, seq) => epoch === 5 && seq === 21)
      yield* Fiber.interrupt(actor)
    }).pipe(Effect.provide(log)),
  )
})

it.live("ignores a match of a game that this process does not run", () =>
  Effect.gen(function* () {
    yield* announce(matchIdOf(gameName("chess"), 5))
    yield* announce(matchId(41))
    yield* appendFacts(simulatedEvents(36, matchId(41)).slice(0, 20))
    yield* Effect.gen(function* () {
      yield* Layer.build(MatchSupervisor.layer([cs2LiveGame]))
      yield* untilCursor(matchId(41), (_, seq) => seq === 20)
    }).pipe(Effect.scoped, Effect.provide(services({})))
  }).pipe(Effect.provide(log)),
)
