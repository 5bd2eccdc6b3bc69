/**
 * Contract that repositories require from a driver: typed errors, transactions, and migrations that may run repeatedly
 * and concurrently.
 */
import { assert, type Vitest } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { engineLedger } from "../../src/database/engineLedger.ts"

export const clientContract = (it: Vitest.MethodsNonLive<SqlClient.SqlClient>) => {
  it.effect("migrates once, regardless of how many callers ask and how often", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const runs = yield* Effect.all([Migrations.run, Migrations.run, Migrations.run], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* Migrations.run, [])
      const recorded =
        yield* sql`SELECT to_char(migration_id, 'FM0000') || '_' || name AS name FROM matchpoint_migrations ORDER BY migration_id`
      assert.deepStrictEqual(
        recorded.map(({ name }) => name),
        Object.keys(engineLedger.migrations),
      )
      // At most 1, because the schema may have existed before this test.
      assert.isAtMost(runs.flat().length, 1)
    }),
  )

  it.effect("returns a typed error for a statement that the server does not understand", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const error = yield* Effect.flip(sql`SELECT * FROM no_such_table`)
      assert.strictEqual(error.reason._tag, "SqlSyntaxError")
      assert.isFalse(error.isRetryable)
    }),
  )

  it.effect("returns a typed error for a unique violation and names the constraint", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE uniqueness (id integer CONSTRAINT uniqueness_id UNIQUE)`
      yield* sql`INSERT INTO uniqueness VALUES (1)`
      const error = yield* Effect.flip(sql`INSERT INTO uniqueness VALUES (1)`)
      assert.strictEqual(error.reason._tag, "UniqueViolation")
      assert.strictEqual(error.reason._tag === "UniqueViolation" ? error.reason.constraint : null, "uniqueness_id")
    }),
  )

  it.effect("rolls back a failed transaction and nothing else", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE rollback_probe (id integer)`
      yield* sql.withTransaction(sql`INSERT INTO rollback_probe VALUES (1)`)
      const failure = yield* sql`INSERT INTO rollback_probe VALUES (2)`.pipe(
        Effect.andThen(Effect.fail("changed my mind")),
        sql.withTransaction,
        Effect.flip,
      )
      assert.strictEqual(failure, "changed my mind")
      assert.deepStrictEqual(yield* sql`SELECT id FROM rollback_probe`, [{ id: 1 }])
    }),
  )

  it.effect("keeps the outer transaction if a nested one fails", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE savepoint_probe (id integer)`
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`INSERT INTO savepoint_probe VALUES (1)`
          const nested = sql`INSERT INTO savepoint_probe VALUES (2)`.pipe(Effect.andThen(sql`SELECT 1 / 0`), sql.withTransaction)
          assert.strictEqual((yield* Effect.flip(nested))._tag, "SqlError")
        }),
      )
      assert.deepStrictEqual(yield* sql`SELECT id FROM savepoint_probe`, [{ id: 1 }])
    }),
  )

  it.effect("stays usable for many callers after an error", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const indexes = Array.from({ length: 200 }, (_, index) => index)
      const ask = (index: number) =>
        sql<{ value: number }>`SELECT ${index}::int / ${index % 10 === 0 ? 0 : 1}::int AS value`.pipe(
          Effect.map(([row]) => row?.value),
          Effect.catchTag("SqlError", () => Effect.succeed("error")),
        )
      const answers = yield* Effect.forEach(indexes, ask, { concurrency: 50 })
      assert.deepStrictEqual(
        answers,
        indexes.map((index) => (index % 10 === 0 ? "error" : index)),
      )
    }),
  )
}
