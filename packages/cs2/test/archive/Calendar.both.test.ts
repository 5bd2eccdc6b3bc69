/**
 * Tests announced matches and events that sources stop reporting, on every driver. The statements use the database's
 * own clock.
 */
import { assert, layer, type Vitest } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { type AnyDatabase, onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { ArchiveWriter } from "../../src/archive/ArchiveWriter.ts"
import { EventArchive } from "../../src/archive/events/EventArchive.ts"
import { MatchArchive } from "../../src/archive/matches/MatchArchive.ts"
import { Calendar } from "../../src/archive/upkeep/Calendar.ts"
import type { ArchivedMatch } from "../../src/rules/archive/ArchivedMatch.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR

const now = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ readonly now: Date }>`SELECT now() AS now`, ([row]) => row?.now.getTime() ?? Number.NaN),
)

const announced = (key: string, startsAt: number, more: Partial<ArchivedMatch> = {}): ArchivedMatch => ({
  source: "test",
  key,
  status: "upcoming",
  startsAt,
  startsPrecision: "minute",
  teams: [{ name: `${key} North` }, { name: `${key} South` }],
  lineups: [[], []],
  games: [],
  confidence: "high",
  ...more,
})

type Archive = ArchiveWriter | Calendar | EventArchive | MatchArchive | SqlClient.SqlClient

const writeMatch = (match: ArchivedMatch) => Effect.flatMap(ArchiveWriter, (writer) => writer.match(match))
const settle = Effect.flatMap(Calendar, (calendar) => calendar.settle)
const statusOf = (number: number) =>
  Effect.map(
    Effect.flatMap(MatchArchive, (matches) => matches.find(number)),
    (found) => Option.getOrThrow(found).status,
  )

const suite = (it: Vitest.MethodsNonLive<Archive>) => {
  it.effect("cancels a match that should have begun 12 hours ago, unless a source reports it again", () =>
    Effect.gen(function* () {
      const at = yield* now
      const late = announced("late", at - 11 * HOUR)
      const stale = announced("stale", at - 13 * HOUR)
      const ofDay = announced("day", at - 35 * HOUR, { startsPrecision: "day" })
      const staleDay = announced("stale day", at - 37 * HOUR, { startsPrecision: "day" })
      const numbers = yield* Effect.forEach([late, stale, ofDay, staleDay], (match) =>
        Effect.map(writeMatch(match), ({ entityNumber }) => entityNumber),
      )
      assert.deepStrictEqual(yield* settle, { cancelled: 2, ended: 0 })
      assert.deepStrictEqual(yield* Effect.forEach(numbers, statusOf), ["upcoming", "cancelled", "upcoming", "cancelled"])
      assert.deepStrictEqual(yield* settle, { cancelled: 0, ended: 0 })
      const upcoming = yield* (yield* MatchArchive).upcoming({ limit: 10, offset: 0 })
      assert.strictEqual(upcoming.total, 2)
      // Reading the same old schedule again changes nothing. A new time or the match itself does.
      assert.strictEqual((yield* writeMatch(stale)).outcome, "unchanged")
      const [, number = 0, , day = 0] = numbers
      yield* writeMatch({ ...stale, startsAt: at + DAY })
      assert.strictEqual(yield* statusOf(number), "upcoming")
      yield* writeMatch({ ...staleDay, status: "live", startsAt: at - HOUR, startsPrecision: "minute" })
      assert.strictEqual(yield* statusOf(day), "live")
      yield* writeMatch({ ...staleDay, status: "completed", winner: 0, startsAt: at - HOUR, startsPrecision: "minute" })
      assert.strictEqual(yield* statusOf(day), "completed")
      yield* writeMatch(staleDay)
      assert.strictEqual(yield* statusOf(day), "completed")
    }),
  )

  it.effect("an event lasts while a match is played, and ends with its last match", () =>
    Effect.gen(function* () {
      const at = yield* now
      const event = { key: "cup", name: "Calendar Cup" }
      const statusOfEvent = Effect.map(
        Effect.flatMap(EventArchive, (events) => events.one("calendar-cup")),
        (found) => Option.getOrThrow(found).status,
      )
      const match = announced("cup 1", at - 2 * HOUR, { event })
      yield* writeMatch({ ...match, status: "live" })
      assert.strictEqual(yield* statusOfEvent, "live")
      yield* writeMatch({ ...match, status: "completed", winner: 0, endsAt: at - HOUR })
      assert.strictEqual(yield* statusOfEvent, "completed")
    }),
  )

  it.effect("ends an event without an end seven days after its last match", () =>
    Effect.gen(function* () {
      const at = yield* now
      const sql = yield* SqlClient.SqlClient
      const begin = Effect.fnUntraced(function* (key: string, lastMatch: number) {
        yield* writeMatch(announced(key, lastMatch, { event: { key, name: key }, status: "completed", winner: 0 }))
        yield* sql`UPDATE cs2_events SET starts_at = to_timestamp(${(at - 30 * DAY) / 1_000}), ends_at = NULL WHERE name = ${key}`
      })
      yield* begin("long over", at - 8 * DAY)
      yield* begin("on a break", at - 6 * DAY)
      assert.deepStrictEqual(yield* settle, { cancelled: 0, ended: 1 })
      const ends = yield* sql<{ readonly name: string; readonly ends: Date | null }>`
        SELECT name, ends_at AS ends FROM cs2_events WHERE name IN ('long over', 'on a break') ORDER BY name`
      assert.deepStrictEqual(
        ends.map(({ ends }) => ends?.getTime() ?? null),
        [at - 8 * DAY, null],
      )
      assert.deepStrictEqual(yield* settle, { cancelled: 0, ended: 0 })
    }),
  )
}

const on = (driver: AnyDatabase) =>
  Layer.mergeAll(ArchiveWriter.layer, Calendar.layer, EventArchive.layer, MatchArchive.layer).pipe(
    Layer.provide(Migrations.layer),
    Layer.provideMerge(driver),
  )

onDatabaseOfRun((database, driver) => layer(on(driver), { timeout: "60 seconds" })(`Calendar on ${database}`, suite))
