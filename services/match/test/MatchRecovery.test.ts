/**
 * Failures of actors, logs and stores: which matches continue, which restart, and which failures must not be mistaken
 * for another owner.
 */
import { assert, describe, it } from "@effect/vitest"
import { EventLog, LogError } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { DIRECTORY, FEED, LIVE, streams } from "@matchpoint/contracts/bus/subjects"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { Checkpoint, Checkpoints } from "@matchpoint/store/live/Checkpoints"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect, Fiber, Latch, Layer, Option, Stream } from "effect"
import { MatchSupervisor, superviseMatch } from "../src/MatchSupervisor.ts"
import { foldToRecords, simulatedEvents } from "./simulated.ts"
import { announce, appendFacts, gone, lastCursor, services, until, untilCursor } from "./supervised.ts"

const lost = (target: string) =>
  new LogError({ operation: "consume", target, reason: "HistoryLost", retryable: false, detail: "the log is another one" })

const noAnswer = (target: string) =>
  new LogError({ operation: "append", target, reason: "Unavailable", retryable: true, detail: "no answer" })

/** A log whose first `consume` of a stream fails when the latch is opened. */
const logFailing = (stream: string, when: Latch.Latch) =>
  Layer.effect(
    EventLog,
    Effect.gen(function* () {
      const log = yield* EventLog
      let failed = false
      const fail = Stream.fromEffect(Effect.andThen(when.await, Effect.fail(lost(stream))))
      return EventLog.of({
        ...log,
        consume: (name, filter, from) => {
          if (name !== stream || failed) return log.consume(name, filter, from)
          failed = true
          return Stream.merge(log.consume(name, filter, from), fail)
        },
      })
    }),
  )

/** A store for checkpoints; `delayOf` returns the duration of the n-th save in milliseconds. */
const keptCheckpoints = (delayOf: (save: number) => number, first?: Checkpoint) => {
  let kept = first
  const counts = { loads: 0, saves: 0, refused: 0 }
  const isBehind = (a: Checkpoint, b: Checkpoint) => a.epoch - b.epoch || a.seq - b.seq || a.feedSequence - b.feedSequence
  const service: Checkpoints["Service"] = {
    load: () =>
      Effect.sync(() => {
        counts.loads += 1
        return Option.fromUndefinedOr(kept)
      }),
    positions: () => Effect.succeed(new Map()),
    save: (checkpoint) =>
      Effect.suspend(() => Effect.sleep(delayOf(++counts.saves))).pipe(
        Effect.map(() => {
          if (kept !== undefined && isBehind(checkpoint, kept) < 0) {
            counts.refused += 1
            return false
          }
          kept = checkpoint
          return true
        }),
      ),
    remove: () => Effect.void,
  }
  return { counts, service, kept: () => kept }
}

const log = EventLogMemory.layer({ streams })

describe("an actor with failing services", () => {
  it.live("keeps matches running while announcements cannot be read, and misses none", () =>
    Effect.gen(function* () {
      const [running, later] = [matchId(101), matchId(102)]
      const failing = yield* Latch.make()
      const store = keptCheckpoints(() => 0)
      yield* announce(running)
      yield* appendFacts(simulatedEvents(41, running).slice(0, 30))
      yield* Effect.gen(function* () {
        yield* Layer.build(MatchSupervisor.layer([cs2LiveGame]))
        yield* untilCursor(running, (_, seq) => seq === 30)
        yield* failing.open
        yield* announce(later)
        yield* appendFacts(simulatedEvents(42, later).slice(0, 30))
        yield* untilCursor(later, (_, seq) => seq === 30)
        yield* appendFacts(simulatedEvents(41, running).slice(30, 60))
        yield* untilCursor(running, (_, seq) => seq === 60)
        assert.strictEqual(store.counts.loads, 2, "an actor started twice")
      }).pipe(
        Effect.scoped,
        Effect.provide(services({ checkpoints: store.service }).pipe(Layer.provideMerge(logFailing(DIRECTORY, failing)))),
      )
    }).pipe(Effect.provide(log)),
  )

  it.live("restarts after a failure although the store hangs", () =>
    Effect.gen(function* () {
      const id = matchId(111)
      const failing = yield* Latch.make()
      const saving = yield* Latch.make()
      const hanging = { load: () => Effect.never, save: () => Effect.andThen(saving.open, Effect.never) }
      yield* appendFacts(simulatedEvents(43, id).slice(0, 30))
      const actor = yield* superviseMatch(cs2LiveGame, id).pipe(
        Effect.provide(services({ checkpoints: hanging }).pipe(Layer.provideMerge(logFailing(FEED, failing)))),
        Effect.forkChild,
      )
      yield* untilCursor(id, (_, seq) => seq === 30)
      yield* saving.await
      yield* failing.open
      yield* appendFacts(simulatedEvents(43, id).slice(30, 60))
      yield* untilCursor(id, (_, seq) => seq === 60)
      yield* Fiber.interrupt(actor)
    }).pipe(Effect.provide(log)),
  )

  it.live("lets a slow save finish before the last one and does not mistake it for another owner", () =>
    Effect.gen(function* () {
      const id = matchId(112)
      const events = simulatedEvents(44, id)
      // The second save starts before the match ends and completes long after it.
      const store = keptCheckpoints((save) => (save === 2 ? 300 : 0))
      yield* appendFacts(events.slice(0, 30))
      const actor = yield* superviseMatch(cs2LiveGame, id).pipe(
        Effect.provide(services({ checkpoints: store.service, linger: "500 millis" })),
        Effect.forkChild,
      )
      yield* untilCursor(id, (_, seq) => seq === 30)
      yield* until(() => store.kept()?.seq === 30)
      yield* appendFacts(events.slice(30, 60))
      yield* until(() => store.counts.saves === 2)
      yield* appendFacts(events.slice(60))
      yield* Fiber.join(actor)
      assert.deepStrictEqual({ loads: store.counts.loads, refused: store.counts.refused }, { loads: 1, refused: 0 })
      assert.strictEqual(store.kept()?.seq, foldToRecords(id, events).records.length)
    }).pipe(Effect.provide(log)),
  )

  it.live("outlasts an outage of the database at the end of a match without starting again", () =>
    Effect.gen(function* () {
      const id = matchId(119)
      const events = simulatedEvents(51, id)
      const store = keptCheckpoints(() => 0)
      const failed = { save: 0, finish: 0 }
      const down = new Set<keyof typeof failed>()
      const unlessDown = <A, E>(operation: keyof typeof failed, work: Effect.Effect<A, E>) =>
        Effect.suspend((): Effect.Effect<A, E | StoreError> => {
          if (!down.has(operation)) return work
          failed[operation] += 1
          return gone(operation)
        })
      const checkpoints = { ...store.service, save: (one: Checkpoint) => unlessDown("save", store.service.save(one)) }
      const finish = () => unlessDown("finish", Effect.succeed(true))
      yield* appendFacts(events.slice(0, 30))
      const actor = yield* superviseMatch(cs2LiveGame, id).pipe(
        Effect.provide(services({ checkpoints, matches: { finish } })),
        Effect.forkChild,
      )
      yield* untilCursor(id, (_, seq) => seq === 30)
      down.add("save").add("finish")
      yield* appendFacts(events.slice(30))
      const { records } = foldToRecords(id, events)
      yield* untilCursor(id, (_, seq) => seq === records.length)
      const before = failed.save
      yield* until(() => failed.save >= before + 20)
      down.delete("save")
      yield* until(() => failed.finish >= 3)
      assert.strictEqual(store.kept()?.seq, records.length)
      down.delete("finish")
      yield* Fiber.join(actor)
      assert.deepStrictEqual({ loads: store.counts.loads, refused: store.counts.refused }, { loads: 1, refused: 0 })
    }).pipe(Effect.provide(log)),
  )

  it.live("starts an epoch in which saving works if an unreadable checkpoint is ahead of a new FEED", () =>
    Effect.gen(function* () {
      const id = matchId(113)
      const unreadable = { matchId: id, epoch: 1, seq: 900, feedSequence: 5_000, formatVersion: 0, state: "{}" }
      const store = keptCheckpoints(() => 0, unreadable)
      // Both logs are new, and the feed sends the match from its first event.
      yield* appendFacts(simulatedEvents(45, id).slice(0, 30))
      const actor = yield* superviseMatch(cs2LiveGame, id).pipe(Effect.provide(services({ checkpoints: store.service })), Effect.forkChild)
      yield* untilCursor(id, (epoch) => epoch === 2)
      yield* appendFacts(simulatedEvents(45, id).slice(30, 60))
      yield* untilCursor(id, (epoch, seq) => epoch === 2 && seq === 31)
      yield* until(() => store.kept()?.epoch === 2 && store.kept()?.seq === 31)
      yield* Fiber.interrupt(actor)
      assert.deepStrictEqual({ loads: store.counts.loads, refused: store.counts.refused }, { loads: 1, refused: 0 })
    }).pipe(Effect.provide(log)),
  )

  it.live("starts no epoch if FEED has all facts of an old-format checkpoint, even if its FEED position is later than they are", () =>
    Effect.gen(function* () {
      const [id, other] = [matchId(115), matchId(116)]
      const events = simulatedEvents(47, id)
      yield* appendFacts(events.slice(0, 30))
      yield* appendFacts(simulatedEvents(48, other).slice(0, 30))
      const { last } = yield* (yield* EventLog).bounds(FEED)
      // The previous owner saved a FEED position beyond the match's own last fact.
      const store = keptCheckpoints(() => 0, { matchId: id, epoch: 1, seq: 30, feedSequence: last, formatVersion: 0, state: "{}" })
      const actor = yield* superviseMatch(cs2LiveGame, id).pipe(Effect.provide(services({ checkpoints: store.service })), Effect.forkChild)
      yield* untilCursor(id, (_, seq) => seq === 30)
      yield* appendFacts(events.slice(30, 60))
      yield* untilCursor(id, (epoch, seq) => epoch > 1 || seq === 60)
      yield* until(() => store.counts.saves > 0)
      yield* Fiber.interrupt(actor)
      assert.deepStrictEqual(yield* lastCursor(id), { matchId: id, epoch: 1, seq: 60 })
      assert.strictEqual(store.counts.refused, 0)
    }).pipe(Effect.provide(log)),
  )

  it.live("starts a match despite a defect of the register", () =>
    Effect.gen(function* () {
      const id = matchId(117)
      yield* appendFacts(simulatedEvents(49, id).slice(0, 30))
      const find = () => Effect.die(new Error("a bug in the store"))
      const actor = yield* superviseMatch(cs2LiveGame, id).pipe(Effect.provide(services({ matches: { find } })), Effect.forkChild)
      yield* untilCursor(id, (_, seq) => seq === 30)
      yield* Fiber.interrupt(actor)
    }).pipe(Effect.provide(log)),
  )

  it.live("does not mistake its own repeat of the document, whose append was not answered, for another owner's", () =>
    Effect.gen(function* () {
      const id = matchId(114)
      const real = yield* EventLog
      let unanswered = 0
      // Every keyframe looks old, so the document is repeated. The answer to the first repeat is lost.
      const lossy: EventLog["Service"] = {
        ...real,
        read: (stream, filter, from) =>
          Stream.map(real.read(stream, filter, from), (record) => (stream === LIVE ? { ...record, appendedAt: 0 } : record)),
        append: (subject, recordId, data, options) =>
          Effect.flatMap(real.append(subject, recordId, data, options), (appended) =>
            recordId.includes(":keep:") && unanswered++ === 0 ? Effect.fail(noAnswer(subject)) : Effect.succeed(appended),
          ),
      }
      const actor = yield* superviseMatch(cs2LiveGame, id).pipe(
        Effect.provide(services({}).pipe(Layer.provideMerge(Layer.succeed(EventLog, lossy)))),
        Effect.forkChild,
      )
      yield* appendFacts(simulatedEvents(46, id).slice(0, 30))
      yield* untilCursor(id, (_, seq) => seq === 30)
      yield* until(() => unanswered > 0)
      yield* appendFacts(simulatedEvents(46, id).slice(30, 60))
      yield* untilCursor(id, (_, seq) => seq === 60)
      yield* Fiber.interrupt(actor)
    }).pipe(Effect.provide(log)),
  )
})
