/** What the suites of the simulated feed stand on: a database of their own, a log per test, and ways to look at both. */

import { assert } from "@effect/vitest"
import { EventLog, type LogRecord } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { allMatches, DIRECTORY, FEED, feedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { decodeFeedEvent } from "@matchpoint/contracts/cs2/feed"
import { CS2 } from "@matchpoint/domain/cs2/live/cs2Rules"
import type { FeedEvent } from "@matchpoint/domain/cs2/live/feedEvents"
import type { MatchId } from "@matchpoint/domain/ids"
import type { MatchOptions } from "@matchpoint/simulator/cs2/simulateMatch"
import { Migrations } from "@matchpoint/store/database/Migrations"
import { Matches, type RegisteredMatch } from "@matchpoint/store/live/Matches"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Clock, DateTime, Effect, Layer, Option, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import { SimulatedFeed, type SimulatedFeedOptions } from "../../src/cs2/simulated/SimulatedFeed.ts"
import { fromRow, toOptions } from "../../src/cs2/simulated/SimulatedMatch.ts"

export const store = Matches.layer.pipe(Layer.provideMerge(Migrations.layer), Layer.provideMerge(embeddedMemory))

/**
 * A test of its own: a fresh log, and afterwards nothing left on in the register. It is given the time it begins at. The clock belongs
 * to the database too, whose pool wakes every minute of it: so it is moved on by hours, not to today.
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

/** Runs a feed, and stops it as a crash would: without a word. */
export const whileFeedRuns = <A, E, R>(options: SimulatedFeedOptions, during: Effect.Effect<A, E, R | SimulatedFeed>) =>
  Effect.scoped(Effect.provide(during, SimulatedFeed.layer(options), { local: true }))

/** Waits in real time, for the database has its own. */
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

/** The match's records in FEED. */
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
