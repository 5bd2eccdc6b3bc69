import { assert, type Vitest } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { type Checkpoint, Checkpoints } from "../../src/live/Checkpoints.ts"

const at = (matchId: string, epoch: number, seq: number, feedSequence = 0): Checkpoint => ({
  matchId,
  epoch,
  seq,
  feedSequence,
  formatVersion: 1,
  state: JSON.stringify({ epoch, seq, feedSequence }),
})

export const checkpointsContract = (it: Vitest.MethodsNonLive<Checkpoints | SqlClient.SqlClient>) => {
  it.effect("returns none for a match that was never saved", () =>
    Effect.gen(function* () {
      const checkpoints = yield* Checkpoints
      assert.deepStrictEqual(yield* checkpoints.load("unknown"), Option.none())
      yield* checkpoints.remove("unknown")
    }),
  )

  it.effect("returns the state byte for byte, with numbers beyond 32 bits", () =>
    Effect.gen(function* () {
      const checkpoints = yield* Checkpoints
      const saved = {
        ...at("bytes", 3, Number.MAX_SAFE_INTEGER, 2 ** 40),
        state: `{"b": 1.0,\n "a":"\\u0000é😀", "a": 2e3}`,
      }
      assert.isTrue(yield* checkpoints.save(saved))
      assert.deepStrictEqual(yield* checkpoints.load("bytes"), Option.some(saved))
    }),
  )

  it.effect("returns the positions in FEED of the matches that have a checkpoint", () =>
    Effect.gen(function* () {
      const checkpoints = yield* Checkpoints
      yield* checkpoints.save(at("placed-1", 1, 1, 7))
      yield* checkpoints.save(at("placed-2", 1, 1, 2 ** 40))
      assert.deepStrictEqual(
        yield* checkpoints.positions(["placed-1", "placed-2", "placed-3"]),
        new Map([
          ["placed-1", 7],
          ["placed-2", 2 ** 40],
        ]),
      )
    }),
  )

  it.effect("ignores an older checkpoint of a former owner and returns false", () =>
    Effect.gen(function* () {
      const checkpoints = yield* Checkpoints
      const newest = at("zombie", 2, 10, 50)
      assert.isTrue(yield* checkpoints.save(newest))
      for (const older of [at("zombie", 2, 9, 60), at("zombie", 1, 99, 70), at("zombie", 2, 10, 49)]) {
        assert.isFalse(yield* checkpoints.save(older))
        assert.deepStrictEqual(yield* checkpoints.load("zombie"), Option.some(newest))
      }
      const migrated = { ...newest, formatVersion: 2, state: "{}" }
      assert.isTrue(yield* checkpoints.save(migrated))
      assert.deepStrictEqual(yield* checkpoints.load("zombie"), Option.some(migrated))
    }),
  )

  it.effect("accepts any position after a checkpoint was removed", () =>
    Effect.gen(function* () {
      const checkpoints = yield* Checkpoints
      yield* checkpoints.save(at("removed", 5, 5))
      yield* checkpoints.remove("removed")
      assert.deepStrictEqual(yield* checkpoints.load("removed"), Option.none())
      assert.isTrue(yield* checkpoints.save(at("removed", 0, 1)))
    }),
  )

  it.effect.prop(
    "keeps the highest of all saved positions, in any order and concurrently",
    [Schema.NonEmptyArray(Schema.Struct({ epoch: smallNatural, seq: smallNatural, feed: smallNatural })).check(Schema.isMaxLength(12))],
    ([positions]) =>
      Effect.gen(function* () {
        const checkpoints = yield* Checkpoints
        yield* checkpoints.remove("race")
        const saves = positions.map(({ epoch, seq, feed }) => at("race", epoch, seq, feed))
        yield* Effect.forEach(saves, (checkpoint) => checkpoints.save(checkpoint), { concurrency: 4 })
        const highest = saves.reduce((left, right) => (position(left) >= position(right) ? left : right))
        assert.deepStrictEqual(yield* checkpoints.load("race"), Option.some(highest))
      }),
    { arbitrary: { runs: 25 } },
  )

  it.effect("fails with a StoreError that names the operation if a value does not fit its column", () =>
    Effect.gen(function* () {
      const checkpoints = yield* Checkpoints
      const nul = yield* Effect.flip(checkpoints.save({ ...at("nul", 0, 1), state: "\0" }))
      assert.deepStrictEqual([nul._tag, nul.operation, nul.isRetryable], ["StoreError", "Checkpoints.save", false])
      const fraction = yield* Effect.flip(checkpoints.save(at("fraction", 0, 1.5)))
      assert.strictEqual(fraction._tag, "StoreError")
    }),
  )

  it.effect("saves and loads many checkpoints at once; a rejected one fails alone", () =>
    Effect.gen(function* () {
      const checkpoints = yield* Checkpoints
      const many = Array.from({ length: 100 }, (_, index) => at(`many-${index}`, 1, index + 1))
      const refused = { ...at("many-refused", 1, 1), state: "\0" }
      const results = yield* Effect.forEach([...many, refused], (one) => Effect.result(checkpoints.save(one)), { concurrency: "unbounded" })
      assert.strictEqual(results[100]?._tag, "Failure")
      for (const result of results.slice(0, 100)) assert.deepStrictEqual(result, Result.succeed(true))

      const ids = [...many.map(({ matchId }) => matchId), "many-refused", "many-0"]
      const loaded = yield* Effect.forEach(ids, checkpoints.load, { concurrency: "unbounded" })
      assert.deepStrictEqual(loaded, [...many.map(Option.some), Option.none(), Option.some(many[0])])
    }),
  )

  it.effect("returns to each of several concurrent owners of a match whether its own position was saved", () =>
    Effect.gen(function* () {
      const checkpoints = yield* Checkpoints
      const saves = [at("owners", 2, 7), at("owners", 2, 9), at("owners", 1, 30), at("owners", 2, 9)]
      const newest = yield* Effect.forEach(saves, checkpoints.save, { concurrency: "unbounded" })
      assert.deepStrictEqual(newest, [false, true, false, true])
      assert.deepStrictEqual(yield* checkpoints.load("owners"), Option.some(at("owners", 2, 9)))
    }),
  )

  it.effect("fails in time if another transaction blocks it, and works again afterwards", () =>
    Effect.gen(function* () {
      const checkpoints = yield* Checkpoints
      const sql = yield* SqlClient.SqlClient
      yield* checkpoints.save(at("locked", 1, 1))
      const locked = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const holder = yield* sql`SELECT 1 FROM match_checkpoints WHERE match_id = 'locked' FOR UPDATE`.pipe(
        Effect.andThen(Deferred.succeed(locked, undefined)),
        Effect.andThen(Deferred.await(release)),
        sql.withTransaction,
        Effect.forkChild,
      )
      yield* Deferred.await(locked)
      const blocked = yield* Effect.forkChild(Effect.flip(checkpoints.save(at("locked", 1, 2))))
      yield* TestClock.adjust("1 minute")
      const error = yield* Fiber.join(blocked)
      assert.deepStrictEqual([error._tag, error.operation, error.isRetryable], ["StoreError", "Checkpoints.save", true])
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(holder)
      assert.isTrue(yield* checkpoints.save(at("locked", 1, 3)))
    }),
  )
}

const smallNatural = Schema.Natural.check(Schema.isLessThanOrEqualTo(3))

/** All parts are below 10, so these sums compare like positions. */
const position = ({ epoch, seq, feedSequence }: Checkpoint): number => epoch * 100 + seq * 10 + feedSequence
