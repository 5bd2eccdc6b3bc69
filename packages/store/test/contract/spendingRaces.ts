import { assert, type Vitest } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { KeyStreamCounts } from "../../src/usage/KeyStreamCounts.ts"

/** Number of looks for a statement that waits. They take longer than the statement needs to start. */
const LOOKS = 500

export const spendingRacesContract = (it: Vitest.MethodsNonLive<SqlClient.SqlClient | KeyStreamCounts>) => {
  // Two gateways that delete expired rows while each has added to rows that the other one waits for would deadlock.
  it.effect("deletes no expired spending that another transaction holds, and does not wait for it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { spend } = yield* KeyStreamCounts
      yield* sql`INSERT INTO address_spending (bucket, full_at) VALUES ('held', now() - interval '2 hours'), ('free', now() - interval '2 hours')`
      const isHeld = yield* Deferred.make<void>()
      // Starts outside the transaction, so that it uses another connection if the database has several.
      const spending = yield* Deferred.await(isHeld).pipe(
        Effect.andThen(spend([{ bucket: "own", costMs: 800, burstMs: 1_000 }])),
        Effect.forkScoped,
      )
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`SELECT FROM address_spending WHERE bucket = 'held' FOR UPDATE`
          yield* Deferred.succeed(isHeld, undefined)
          for (let look = 0; look < LOOKS && spending.pollUnsafe() === undefined; look += 1) {
            const waiting = yield* sql`SELECT query FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))`
            assert.deepStrictEqual(waiting, [])
          }
        }),
      )
      assert.deepStrictEqual(yield* Fiber.join(spending), [0])
      yield* spend([{ bucket: "own", costMs: 0, burstMs: 1_000 }])
      const left = yield* sql`SELECT bucket FROM address_spending WHERE bucket IN ('held', 'free', 'own')`
      assert.deepStrictEqual(left, [{ bucket: "own" }])
    }),
  )
}
