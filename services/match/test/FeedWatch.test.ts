/** Silent feeds, if the wall clock of the process jumps, if the match has unread events, and after takeovers. */
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { FEED, feedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { decodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { MatchConfig, type MatchSettings } from "@matchpoint/game/live/MatchConfig"
import { Clock, Effect, Fiber, Layer, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import { runMatch } from "../src/actor/MatchActor.ts"
import { MatchFeeds } from "../src/actor/MatchFeeds.ts"
import { simulatedEvents } from "./simulated.ts"
import { appendFacts, services } from "./supervised.ts"

const HOUR_MS = 3_600_000

/** A clock whose wall time differs by `byMs` milliseconds. Its monotonic time is right. */
const shifted = (clock: Clock.Clock, byMs: () => number): Clock.Clock => {
  const currentTimeMillisUnsafe = () => clock.currentTimeMillisUnsafe() + byMs()
  const currentTimeNanosUnsafe = () => clock.currentTimeNanosUnsafe() + BigInt(byMs()) * 1_000_000n
  return {
    currentTimeMillisUnsafe,
    currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
    currentTimeNanosUnsafe,
    currentTimeNanos: Effect.sync(currentTimeNanosUnsafe),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration),
  }
}

const log = EventLogMemory.layer({ streams })
const id = matchId(17)

/** The decisions of the watchdog that FEED contains. */
const decisions = Effect.gen(function* () {
  const records = yield* Stream.runCollect((yield* EventLog).read(FEED, feedSubject(id), { _tag: "First" }))
  return records.flatMap(({ data }) => {
    const event = Result.getOrThrow(decodeFeedEvent(data))
    if (event.type === "FeedSilent") return [event.payload.status]
    return event.type === "MatchEnded" ? [event.payload.reason] : []
  })
})

/** Starts the actor of the match with short limits of silence, and lets it fold what FEED has. */
const start = Effect.fnUntraced(function* (clock?: Clock.Clock) {
  const limits = Layer.effect(
    MatchConfig,
    Effect.map(
      MatchConfig,
      (settings): MatchSettings => ({
        ...settings,
        watchEvery: "10 millis",
        staleAfter: "200 millis",
        interruptedAfter: "400 millis",
        cancelAfter: "2 seconds",
      }),
    ),
  )
  const run = Effect.provide(runMatch(cs2LiveGame, id), limits.pipe(Layer.provideMerge(services({}))))
  const actor = yield* Effect.forkChild(clock === undefined ? run : Effect.provideService(run, Clock.Clock, clock))
  yield* TestClock.adjust(1)
  return actor
})

/** Appends events of the match as if they had arrived now. */
const report = Effect.fnUntraced(function* (from: number, to: number) {
  const at = yield* Clock.currentTimeMillis
  const events = simulatedEvents(17, id).slice(from, to)
  yield* appendFacts(events.map((event) => ({ ...event, observedAt: at, receivedAt: at })))
})

describe("the watchdog of a match", () => {
  it.effect("decides nothing if the wall clock is set forward by hours", () =>
    Effect.gen(function* () {
      let byMs = 0
      yield* report(0, 60)
      yield* start(shifted(yield* Clock.Clock, () => byMs))
      byMs = 7 * HOUR_MS
      yield* TestClock.adjust("150 millis")
      assert.deepStrictEqual(yield* decisions, [])
    }).pipe(Effect.provide(log)),
  )

  it.effect("reports silence if the wall clock is set back by hours", () =>
    Effect.gen(function* () {
      let byMs = 0
      yield* TestClock.setTime(8 * HOUR_MS)
      yield* report(0, 60)
      yield* start(shifted(yield* Clock.Clock, () => byMs))
      byMs = -7 * HOUR_MS
      yield* TestClock.adjust("300 millis")
      assert.deepStrictEqual(yield* decisions, ["stale"])
    }).pipe(Effect.provide(log)),
  )

  it.effect("decides nothing while FEED has events that it has not seen", () =>
    Effect.gen(function* () {
      // The consumer is late: it receives nothing after the start.
      const { open } = yield* MatchFeeds
      const lateFeeds: typeof MatchFeeds.Service = { open: (source, match) => ({ ...open(source, match), consume: () => Stream.never }) }
      yield* report(0, 60)
      yield* Effect.provideService(start(), MatchFeeds, lateFeeds)
      yield* report(60, 70)
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* decisions, [])
    }).pipe(Effect.provide(log)),
  )

  it.effect("counts silence across takeovers", () =>
    Effect.gen(function* () {
      yield* report(0, 60)
      for (let takeover = 0; takeover < 5; takeover++) {
        const actor = yield* start()
        yield* TestClock.adjust("500 millis")
        yield* Fiber.interrupt(actor)
      }
      assert.deepStrictEqual(yield* decisions, ["stale", "interrupted", "cancelled"])
    }).pipe(Effect.provide(log)),
  )
})
