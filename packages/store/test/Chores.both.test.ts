/** Tests when chores are due, and that at most one process does a chore at a time, on every driver. */
import { assert, layer, type Vitest } from "@effect/vitest"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import { gameName } from "@matchpoint/domain/ids"
import { Migrations } from "@matchpoint/games/Migrations"
import { atTime } from "@matchpoint/testing/atTime"
import { type AnyDatabase, onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Duration, Effect, Layer, Option } from "effect"
import { Chores, type ChoreTerms, type GameChores } from "../src/Chores.ts"

const NOW = Date.parse("2026-11-22T12:00:00Z")
const MINUTE = 60_000

const cs2 = Effect.map(Chores, ({ of }) => of(CS2))

const terms: ChoreTerms = { every: Duration.hours(1), atMostEvery: Duration.minutes(10), lostAfter: Duration.minutes(5) }

const suite = (it: Vitest.MethodsNonLive<Chores>) => {
  const takeAt = (chore: string, minute: number) => atTime(NOW + minute * MINUTE)(Effect.flatMap(cs2, ({ take }) => take(chore, terms)))
  const taken = (chore: string, minute: number) => Effect.map(takeAt(chore, minute), Option.getOrThrow)
  const giveBack = (...back: Parameters<GameChores["giveBack"]>) => Effect.flatMap(cs2, (chores) => chores.giveBack(...back))
  const requestAt = (chore: string, minute: number) => atTime(NOW + minute * MINUTE)(Effect.flatMap(cs2, ({ request }) => request([chore])))

  it.effect("is due at once, then one hour after the start of the last completed run", () =>
    Effect.gen(function* () {
      const first = yield* taken("hourly", 0)
      assert.isUndefined(first.doneAsOf)
      yield* atTime(NOW + 3 * MINUTE)(giveBack(first, true))
      assert.isTrue(Option.isNone(yield* takeAt("hourly", 59)))
      assert.strictEqual((yield* taken("hourly", 60)).doneAsOf, NOW)
    }),
  )

  it.effect("is due earlier after a request, but respects the minimum interval; a request during a run causes another run", () =>
    Effect.gen(function* () {
      yield* requestAt("asked", -5)
      const first = yield* taken("asked", 0)
      yield* requestAt("asked", 1)
      yield* giveBack(first, true)
      assert.isTrue(Option.isNone(yield* takeAt("asked", 9)))
      yield* giveBack(yield* taken("asked", 10), true)
      assert.isTrue(Option.isNone(yield* takeAt("asked", 30)))
    }),
  )

  it.effect("gives a chore to one of many concurrent callers, and again at once after a failed run", () =>
    Effect.gen(function* () {
      const all = yield* Effect.all(
        Array.from({ length: 8 }, () => takeAt("one", 0)),
        { concurrency: "unbounded" },
      )
      const [one, ...others] = all.flatMap(Option.toArray)
      assert.deepStrictEqual(others, [])
      if (one === undefined) return assert.fail("no caller got the chore")
      yield* giveBack(one, false)
      assert.isUndefined((yield* taken("one", 0)).doneAsOf)
    }),
  )

  it.effect("keeps chores of the same name in different games apart", () =>
    Effect.gen(function* () {
      yield* giveBack(yield* taken("shared", 0), true)
      assert.isTrue(Option.isNone(yield* takeAt("shared", 1)))
      const chess = (yield* Chores).of(gameName("chess"))
      assert.isUndefined(Option.getOrThrow(yield* chess.take("shared", terms)).doneAsOf)
    }),
  )

  it.effect("takes a chore from a dead holder, which can then not release it any more", () =>
    Effect.gen(function* () {
      const gone = yield* taken("lost", 0)
      assert.isTrue(Option.isNone(yield* takeAt("lost", 5)))
      const next = yield* taken("lost", 6)
      yield* giveBack(gone, true)
      assert.isTrue(Option.isNone(yield* takeAt("lost", 7)))
      yield* giveBack(next, true)
      assert.strictEqual((yield* taken("lost", 66)).doneAsOf, NOW + 6 * MINUTE)
    }),
  )
}

const on = (driver: AnyDatabase) => Chores.layer.pipe(Layer.provide(Migrations.layer), Layer.provide(driver))

onDatabaseOfRun((database, driver) => layer(on(driver), { timeout: "60 seconds" })(`Chores on ${database}`, suite))
