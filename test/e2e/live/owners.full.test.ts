/**
 * Tests two owners of one match: the owner that is behind stops at once, and LIVE receives no stale or duplicate
 * record. Runs on the log in memory and on NATS.
 */
import { assert, describe, it } from "@effect/vitest"
import { EventLog, type LogError } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import * as EventLogNats from "@matchpoint/bus/EventLogNats"
import { Rejections } from "@matchpoint/bus/Rejections"
import { feedMessageId, feedSubject, LIVE, liveMessageId, liveSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { runMatch } from "@matchpoint/service-match/actor/MatchActor"
import { Checkpoints } from "@matchpoint/store/live/Checkpoints"
import { Matches } from "@matchpoint/store/live/Matches"
import { Cause, Effect, Fiber, Latch, Layer, Option, Stream } from "effect"
import { inject } from "vitest"
import { liveRecords } from "../../fixtures/clients/liveRecords.ts"
import { NoneParked } from "../../fixtures/noneParked.ts"
import { simulatedEvents } from "../../fixtures/simulated.ts"
import { temporaryNamespace } from "../../fixtures/temporaryNamespace.ts"

const Register = Layer.mock(Matches, {
  markLive: () => Effect.succeed(true),
  advance: () => Effect.succeed(true),
  finish: () => Effect.succeed(true),
  find: () => Effect.succeedNone,
})

/** Keeps the newest checkpoint, by the rule of the real store. */
const memoryCheckpoints = () => {
  let stored: Parameters<Checkpoints["Service"]["save"]>[0] | undefined
  return Layer.mock(Checkpoints, {
    load: () => Effect.sync(() => Option.fromUndefinedOr(stored)),
    save: (next) =>
      Effect.sync(() => {
        const place = ({ epoch, feedSequence, seq }: typeof next) => [epoch, seq, feedSequence] as const
        const isOlder = stored !== undefined && compare(place(next), place(stored)) < 0
        if (!isOlder) stored = next
        return !isOlder
      }),
  })
}

const compare = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): number =>
  a.map((value, index) => value - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0

const Settings = Layer.effect(
  MatchConfig,
  Effect.map(MatchConfig, (defaults) => ({ ...defaults, checkpointEvery: "3 millis" as const, lingerAfterEnd: "20 millis" as const })),
)

/**
 * Freezes its owner at its n-th effect on the log or the store, either before the effect or after it and before its
 * result.
 */
class Freezer {
  readonly thawed = Latch.makeUnsafe()
  readonly frozen = Latch.makeUnsafe()
  #left: number
  readonly #when: "before" | "after"

  constructor(at: number, when: "before" | "after") {
    this.#left = at
    this.#when = when
  }

  readonly pass = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      this.#left -= 1
      if (this.#left !== 0) return effect
      const stand = Effect.suspend(() => {
        this.frozen.openUnsafe()
        return this.thawed.await
      })
      return this.#when === "before" ? Effect.andThen(stand, effect) : Effect.tap(effect, () => stand)
    })
}

/** Services of one process: its own access to the log and the store, through its freezer. */
const processOf = (freezer: Freezer | undefined) => {
  if (freezer === undefined) return Layer.mergeAll(MatchCheckpoints.layer, Rejections.layer, Settings)
  const { pass } = freezer
  const log = Layer.effect(
    EventLog,
    Effect.map(EventLog, (real) =>
      EventLog.of({
        ...real,
        append: (...args) => pass(real.append(...args)),
        last: (...args) => pass(real.last(...args)),
        bounds: (...args) => pass(real.bounds(...args)),
      }),
    ),
  )
  const checkpoints = Layer.effect(
    Checkpoints,
    Effect.map(Checkpoints, (real) => ({ ...real, load: (id: string) => pass(real.load(id)), save: (one) => pass(real.save(one)) })),
  )
  return Layer.mergeAll(MatchCheckpoints.layer, Rejections.layer, Settings).pipe(Layer.provideMerge(log), Layer.provide(checkpoints))
}

const appendFacts = Effect.fnUntraced(function* (events: ReadonlyArray<FeedEvent>) {
  const log = yield* EventLog
  yield* Effect.forEach(
    events,
    (event) => log.append(feedSubject(event.matchId), feedMessageId(event.matchId, event.id), encodeFeedEvent(event)),
    {
      concurrency: 64,
      discard: true,
    },
  )
})

const published = Effect.fnUntraced(function* (id: ReturnType<typeof matchId>) {
  const log = yield* EventLog
  return Array.from(yield* Stream.runCollect(log.read(LIVE, liveSubject(id), { _tag: "First" })))
})

/** Freezes owner A, lets B play the match to its end, and thaws A. Returns the fiber of A. */
const played = Effect.fnUntraced(function* (number: number, freezer: Freezer, share: number) {
  const id = matchId(number)
  const events = simulatedEvents(21, id).slice(0, 240)
  const early = Math.floor(events.length * share)
  for (const event of events.slice(0, early)) yield* appendFacts([event])
  const a = yield* Effect.forkChild(Effect.exit(runMatch(cs2LiveGame, id).pipe(Effect.provide(processOf(freezer), { local: true }))))
  yield* freezer.frozen.await.pipe(Effect.timeoutOption("3 seconds"))
  for (const event of events.slice(early)) yield* appendFacts([event])
  const b = yield* Effect.forkChild(runMatch(cs2LiveGame, id).pipe(Effect.provide(processOf(undefined), { local: true })))
  const records = liveRecords(21, id, events.length)
  yield* untilPublished(id, records.length)
  freezer.thawed.openUnsafe()
  // A has nothing left to publish, or appends once and loses.
  yield* Effect.sleep("30 millis")
  yield* Fiber.interrupt(b)
  yield* Fiber.interrupt(a)
  const kept = yield* published(id)
  assert.deepStrictEqual(
    kept.map((record) => record.id),
    records.map((_, index) => liveMessageId(id, 1, index + 1)),
  )
  return a
})

const untilPublished = Effect.fnUntraced(function* (id: ReturnType<typeof matchId>, count: number) {
  const log = yield* EventLog
  yield* log.consume(LIVE, liveSubject(id), { _tag: "First" }).pipe(Stream.take(count), Stream.runDrain, Effect.timeout("10 seconds"))
})

const suite = (driver: string, log: Layer.Layer<EventLog, LogError>, points: ReadonlyArray<number>): void => {
  describe(`two owners of one match, on ${driver}`, () => {
    it.live(
      "adds nothing to LIVE after the loser thaws, wherever it was frozen",
      () =>
        Effect.gen(function* () {
          let number = 7_000
          for (const when of ["before", "after"] as const) {
            for (const at of points) {
              number += 1
              yield* played(number, new Freezer(at, when), 0.5).pipe(
                Effect.provide(Layer.mergeAll(memoryCheckpoints(), Register, NoneParked), { local: true }),
              )
            }
          }
        }).pipe(Effect.provide(log)),
      120_000,
    )

    it.live("stops the loser at its next append with the reason", () =>
      Effect.gen(function* () {
        const id = matchId(7_900)
        const events = simulatedEvents(22, id).slice(0, 120)
        yield* appendFacts(events.slice(0, 40))
        const a = yield* Effect.forkChild(
          Effect.exit(runMatch(cs2LiveGame, id).pipe(Effect.provide(processOf(undefined), { local: true }))),
        )
        yield* untilPublished(id, 40)
        // Another owner publishes a record that A has not read.
        const records = liveRecords(22, id, events.length)
        const real = yield* EventLog
        yield* real.append(liveSubject(id), liveMessageId(id, 1, 41), records[40]?.data ?? new Uint8Array())
        yield* appendFacts(events.slice(40, 43))
        const exit = yield* Fiber.join(a)
        const error = exit._tag === "Failure" ? Option.getOrUndefined(Cause.findErrorOption(exit.cause)) : undefined
        assert.propertyVal(error, "_tag", "LostOwnership")
        assert.include(["Conflict", "Duplicate"], error !== undefined && "reason" in error ? error.reason : undefined)
        assert.strictEqual((yield* published(id)).length, 41)
      }).pipe(Effect.provide(Layer.mergeAll(memoryCheckpoints(), Register, NoneParked, log))),
    )

    it.live("stops an owner whose checkpoint is refused", () =>
      Effect.gen(function* () {
        const id = matchId(7_901)
        const events = simulatedEvents(23, id).slice(0, 60)
        yield* appendFacts(events)
        const refusing = Layer.effect(
          Checkpoints,
          Effect.map(Checkpoints, (real) => ({ ...real, save: () => Effect.succeed(false) })),
        )
        const exit = yield* Effect.exit(
          runMatch(cs2LiveGame, id).pipe(Effect.provide(processOf(undefined).pipe(Layer.provide(refusing)), { local: true })),
        )
        const error = exit._tag === "Failure" ? Option.getOrUndefined(Cause.findErrorOption(exit.cause)) : undefined
        assert.propertyVal(error, "reason", "CheckpointRefused")
      }).pipe(Effect.provide(Layer.mergeAll(memoryCheckpoints(), Register, NoneParked, log))),
    )
  })
}

const everyPoint = Array.from({ length: 14 }, (_, index) => index + 1).concat(40, 100)

suite("memory", EventLogMemory.layer({ streams }), everyPoint)

const url = inject("natsUrl")
if (url === null) {
  describe.skip("two owners of one match, on NATS: skipped without a server, see the report of the setup", () => {
    it("runs if a server is available", () => {})
  })
} else {
  const small = streams.map((spec) => ({ ...spec, maxBytes: 8_000_000 }))
  const onNats = Layer.unwrap(
    Effect.map(temporaryNamespace(url), (namespace) => EventLogNats.layer({ servers: url, namespace, streams: small })),
  )
  suite("NATS", onNats, [1, 2, 3, 4, 5, 8, 40])
}
