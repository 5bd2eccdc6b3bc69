/** Shared setup for suites of the simulated feed: their own database, a log per test, and functions to read both. */
import { assert } from "@effect/vitest"
import { EventLog, type LogRecord } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { allMatches, DIRECTORY, FEED, feedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { decodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { SimulatedFeed } from "@matchpoint/cs2/feed/simulated/SimulatedFeed"
import { fromRow, toOptions } from "@matchpoint/cs2/feed/simulated/SimulatedMatch"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import type { MatchOptions } from "@matchpoint/cs2/simulator/simulateMatch"
import type { MatchId } from "@matchpoint/domain/ids"
import type { SimulatedOptions } from "@matchpoint/game/feed/simulated/playMatches"
import { Migrations } from "@matchpoint/games/Migrations"
import { Matches, type RegisteredMatch } from "@matchpoint/store/live/Matches"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Clock, DateTime, Effect, Layer, Option, Result, Stream } from "effect"
import { TestClock } from "effect/testing"

export const store = Matches.layer.pipe(Layer.provideMerge(Migrations.layer), Layer.provideMerge(embeddedMemory))

/**
 * Runs a test with a fresh log, and ends all matches in the register afterwards. The test receives its start time. The
 * database uses the same clock, and its pool wakes up every minute of it. The clock is therefore moved by hours, not to
 * the present.
 */
export const session = <A, E, R>(test: (start: number) => Effect.Effect<A, E, R>) =>
  TestClock.adjust("1 hour").pipe(
    Effect.andThen(Clock.currentTimeMillis),
    Effect.flatMap(test),
    Effect.ensuring(Effect.orDie(closeAll)),
    Effect.provide(EventLogMemory.layer({ streams }), { local: true }),
  )

const closeAll = Effect.gen(function* () {
  const matches = yield* Matches
  for (const row of yield* matches.listActive(CS2)) yield* matches.finish(row.matchId, yield* DateTime.now, "cancelled", null)
})

/** Runs a feed and stops it without notice, like a crash. */
export const whileFeedRuns = <A, E, R>(options: SimulatedOptions, during: Effect.Effect<A, E, R | SimulatedFeed>) =>
  Effect.scoped(Effect.provide(during, SimulatedFeed.layer(options), { local: true }))

/** Waits in real time, because the database does too. */
export const until = <E, R>(what: string, holds: Effect.Effect<boolean, E, R>) =>
  Effect.gen(function* () {
    for (let attempt = 0; attempt < 2_000; attempt++) {
      if (yield* holds) return
      yield* TestClock.withLive(Effect.sleep("5 millis"))
    }
    assert.fail(`waited in vain until ${what}`)
  })

export const active = Effect.flatMap(Matches, (matches) => matches.listActive(CS2))

export const optionsOf = (row: RegisteredMatch): MatchOptions => toOptions(Option.getOrThrow(fromRow(row)))

export const idOf = (row: RegisteredMatch): MatchId => row.matchId

/** Returns the match's records in FEED. */
export const recordsOf = (match: MatchId) =>
  Effect.flatMap(EventLog, (log) => Stream.runCollect(log.read(FEED, feedSubject(match), { _tag: "First" })))

export const eventsOf = (match: MatchId) => Effect.map(recordsOf(match), (records) => records.map(decode))

const decode = (record: LogRecord): FeedEvent => Result.getOrThrow(decodeFeedEvent(record.data))

export const announced = Effect.flatMap(EventLog, (log) =>
  log.read(DIRECTORY, allMatches, { _tag: "First" }).pipe(
    Stream.map((record) => record.id),
    Stream.runCollect,
  ),
)
