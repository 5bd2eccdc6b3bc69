/** What only the Postgres driver promises: limits against a server that is slow, silent, absent or that drops connections. */

import { type AddressInfo, createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Postgres } from "../src/Postgres.ts"

const databaseUrl = inject("databaseUrl")

const ask = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 AS one`)

/** A server that accepts connections and never says a word. Its scope closes only when every client has hung up. */
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
  it.live("fails in time when the server does not answer", () =>
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

  it.live.skipIf(databaseUrl === null)("has the server cancel a slow statement and goes on with the session (needs DATABASE_URL)", () =>
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
})
