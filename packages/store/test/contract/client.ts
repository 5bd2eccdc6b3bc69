/**
 * Contract that repositories require from a driver: typed errors, transactions, and migrations that may run repeatedly
 * and concurrently.
 */
import { assert, type Vitest } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const clientContract = (it: Vitest.MethodsNonLive<SqlClient.SqlClient>) => {
  it.effect("migrates once, regardless of how many callers ask and how often", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const runs = yield* Effect.all([Migrations.run, Migrations.run, Migrations.run], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* Migrations.run, [])
      assert.deepStrictEqual(yield* sql`SELECT migration_id AS id, name FROM matchpoint_migrations`, [
        { id: 1, name: "spine" },
        { id: 2, name: "accounts" },
        { id: 3, name: "cs2_archive" },
        { id: 4, name: "usage_settlement" },
        { id: 5, name: "matches" },
        { id: 6, name: "imports" },
        { id: 7, name: "cs2_identity" },
        { id: 8, name: "feeds" },
        { id: 9, name: "cs2_prize_pools" },
        { id: 10, name: "webhooks" },
        { id: 11, name: "tennis_archive" },
        { id: 12, name: "tennis_players" },
        { id: 13, name: "tennis_rankings" },
        { id: 14, name: "tennis_tournaments" },
        { id: 15, name: "cod_archive" },
        { id: 16, name: "apex_archive" },
        { id: 17, name: "cod_analytics" },
        { id: 18, name: "transcripts" },
        { id: 19, name: "stream_counts" },
        { id: 20, name: "address_spending" },
        { id: 21, name: "log_reach" },
        { id: 22, name: "tennis_summary_steps" },
        { id: 23, name: "player_names" },
        { id: 24, name: "player_merges" },
        { id: 25, name: "cod_unknown_scores" },
        { id: 26, name: "registrations" },
        { id: 27, name: "webhook_steps" },
      ])
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
