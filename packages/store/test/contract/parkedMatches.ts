/**
 * Tests parked writes, which are kept with a reason until an operator requests a retry, and which write failures are
 * permanent.
 */
import { assert, type Vitest } from "@effect/vitest"
import { gameName, matchIdOf } from "@matchpoint/domain/ids"
import { Effect, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ParkedMatches } from "../../src/live/ParkedMatches.ts"
import { StoreError } from "../../src/StoreError.ts"

const go = gameName("go")

/** Returns the error of a statement that fails with the given SQLSTATE. */
const failureOf = Effect.fnUntraced(function* (state: string) {
  const sql = yield* SqlClient.SqlClient
  const raised = yield* Effect.result(sql.unsafe(`DO $$ BEGIN RAISE EXCEPTION 'raised %', E'\\u0001' USING ERRCODE = '${state}'; END $$`))
  if (Result.isSuccess(raised)) return assert.fail("nothing was raised")
  return new StoreError({ operation: "Matches.finish", cause: raised.failure })
})

export const parkedMatchesContract = (it: Vitest.MethodsNonLive<ParkedMatches | SqlClient.SqlClient>) => {
  it.effect.each(["22P05", "22003", "23514", "23503", "54000", "21000"])("a write that fails with %s cannot succeed", (state) =>
    Effect.gen(function* () {
      const error = yield* failureOf(state)
      assert.deepStrictEqual([error.isPermanent, error.sqlState], [true, state])
    }),
  )

  it.effect.each(["40001", "40P01", "53100", "53300", "55P03", "57014", "57P01", "58030", "42P01", "XX000"])(
    "a write that fails with %s may succeed later",
    (state) =>
      Effect.gen(function* () {
        const error = yield* failureOf(state)
        assert.deepStrictEqual([error.isPermanent, error.sqlState], [false, state])
      }),
  )

  it.effect("treats a schema mismatch as permanent, and a timeout as not permanent", () =>
    Effect.gen(function* () {
      const unfit = yield* Effect.flip(Schema.decodeUnknownEffect(Schema.Natural)(-1))
      assert.isTrue(new StoreError({ operation: "x", cause: unfit }).isPermanent)
      const late = yield* Effect.flip(Effect.timeout(Effect.never, 0))
      assert.isFalse(new StoreError({ operation: "x", cause: late }).isPermanent)
    }),
  )

  it.effect("keeps a parked write waiting until a retry is requested, and again after the retry fails", () =>
    Effect.gen(function* () {
      const parked = yield* ParkedMatches
      const [one, two] = [matchIdOf(go, 1), matchIdOf(go, 2)]
      assert.isFalse(yield* parked.isWaiting(one, "result"))
      yield* parked.park(one, "result", yield* failureOf("22P05"))
      yield* parked.park(two, "archive", new StoreError({ operation: "x", cause: new Error("quotes \0 and \ud800 itself") }))
      assert.isTrue(yield* parked.isWaiting(one, "result"))
      assert.isFalse(yield* parked.isWaiting(one, "archive"))
      assert.isFalse(yield* parked.isWaiting(two, "result"))
      assert.deepStrictEqual(yield* parked.due("result"), [])

      assert.deepStrictEqual(yield* parked.retry(matchIdOf(go, 3)), [])
      const [asked] = yield* parked.retry(one)
      assert.deepInclude(asked, { matchId: one, work: "result", operation: "Matches.finish", sqlState: "22P05", attempts: 1 })
      assert.isFalse(yield* parked.isWaiting(one, "result"))
      assert.deepStrictEqual([yield* parked.due("result"), yield* parked.due("archive")], [[one], []])

      yield* parked.park(one, "result", yield* failureOf("22003"))
      assert.isTrue(yield* parked.isWaiting(one, "result"))
      const { rows, total } = yield* parked.list({ limit: 10, offset: 0 })
      assert.deepStrictEqual(
        [total, rows.map(({ attempts, matchId, retryRequestedAt, sqlState }) => [matchId, attempts, sqlState, retryRequestedAt])],
        [
          2,
          [
            [one, 2, "22003", null],
            [two, 1, null, null],
          ],
        ],
      )
      assert.include(rows[1]?.reason ?? "", "quotes \uFFFD and \uFFFD itself")

      yield* parked.done(one, "result")
      yield* parked.done(one, "result")
      yield* parked.done(two, "archive")
      assert.deepStrictEqual(yield* parked.list({ limit: 10, offset: 0 }), { rows: [], total: 0 })
    }),
  )
}
