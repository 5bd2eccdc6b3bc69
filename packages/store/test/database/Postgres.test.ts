/**
 * Tests guarantees of the Postgres driver alone: limits with a server that is slow, silent, absent or drops
 * connections.
 */
import { type AddressInfo, createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Postgres } from "../../src/database/Postgres.ts"
import { storeOperation } from "../../src/StoreError.ts"

const databaseUrl = inject("databaseUrl")

const ask = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 AS one`)

/** A server that accepts connections and never responds. Its scope closes only after every client has disconnected. */
const silentServer = Effect.map(
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((socket) => socket.resume()).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void))),
  ),
  (server) => (server.address() as AddressInfo).port,
)

describe("Postgres", () => {
  it.live("fails in time if the server does not respond", () =>
    Effect.gen(function* () {
      const port = yield* silentServer
      const url = Redacted.make(`postgres://nobody@127.0.0.1:${port}/nothing?sslmode=disable`)
      const [elapsed, error] = yield* ask.pipe(
        Effect.provide(Postgres.layer({ url, connectTimeout: "200 millis" })),
        Effect.flip,
        Effect.timed,
      )
      assert.deepInclude(error.reason, { _tag: "ConnectionError" })
      assert.isBelow(Duration.toMillis(elapsed), 2_000)
    }),
  )

  it.live("keeps the password out of a connection error", () =>
    Effect.gen(function* () {
      const url = Redacted.make("postgres://someone:correct-horse@127.0.0.1:1/nothing?sslmode=disable")
      const error = yield* Effect.flip(Effect.provide(ask, Postgres.layer({ url })))
      assert.strictEqual(error.reason._tag, "ConnectionError")
      assert.notInclude(`${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.reason.cause)}`, "correct-horse")
    }),
  )

  const options = { url: Redacted.make(String(databaseUrl)), maxConnections: 1, statementTimeout: "200 millis" } as const

  it.live.skipIf(databaseUrl === null)("lets the server cancel a slow statement and keeps the session (needs DATABASE_URL)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const error = yield* Effect.flip(sql`SELECT pg_sleep(20)`)
      assert.deepInclude(error.reason, { _tag: "StatementTimeoutError" })
      assert.isTrue(error.isRetryable)
      assert.deepStrictEqual(yield* ask, [{ one: 1 }])
    }).pipe(Effect.provide(Postgres.layer(options))),
  )

  it.live.skipIf(databaseUrl === null)("replaces a connection that the server dropped (needs DATABASE_URL)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const error = yield* Effect.flip(sql`SELECT pg_terminate_backend(pg_backend_pid())`)
      assert.strictEqual(error._tag, "SqlError")
      assert.deepStrictEqual(yield* ask, [{ one: 1 }])
    }).pipe(Effect.provide(Postgres.layer(options))),
  )

  it.live.skipIf(databaseUrl === null)("ends a hanging transaction and frees its locks (needs DATABASE_URL)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const lock = sql`SELECT pg_advisory_xact_lock(hashtext('a test of Postgres.ts'))`
      const locked = yield* Deferred.make<void>()
      const released = yield* Deferred.make<void>()
      const hanging = yield* lock.pipe(
        Effect.andThen(Deferred.succeed(locked, undefined)),
        Effect.andThen(Deferred.await(released)),
        Effect.andThen(lock),
        sql.withTransaction,
        storeOperation("Hanging", Duration.minutes(1)),
        Effect.flip,
        Effect.forkChild,
      )
      yield* Deferred.await(locked)
      yield* sql.withTransaction(lock)
      yield* Deferred.succeed(released, undefined)
      assert.strictEqual((yield* Fiber.join(hanging)).operation, "Hanging")
    }).pipe(Effect.provide(Postgres.layer({ url: options.url, maxConnections: 2, idleTransactionTimeout: "300 millis" }))),
  )

  it.live.skipIf(databaseUrl === null)(
    "fails if the connection is lost inside a transaction, and the next call works (needs DATABASE_URL)",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const error = yield* sql`SELECT pg_terminate_backend(pg_backend_pid())`.pipe(
          sql.withTransaction,
          storeOperation("Lost", Duration.minutes(1)),
          Effect.flip,
        )
        assert.strictEqual(error.operation, "Lost")
        assert.deepStrictEqual(yield* sql.withTransaction(ask), [{ one: 1 }])
      }).pipe(Effect.provide(Postgres.layer(options))),
  )
})
