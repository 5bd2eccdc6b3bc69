/** Tests the admin API and `/metrics` on the main port and on a separate port. */
import { connect } from "node:net"
import { assert, it } from "@effect/vitest"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { freePort } from "@matchpoint/testing/freePorts"
import { Context, Effect, Layer, Redacted } from "effect"
import { inject } from "vitest"
import { Standalone } from "../../fixtures/Standalone.ts"

const TOKEN = "an-admin-token-of-our-own"

/** Status of a request whose path is sent unchanged. `fetch` would normalise it. */
const statusOf = (url: string, path: string) =>
  Effect.callback<number>((resume) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => {
      const headers = [`host: ${hostname}`, `x-admin-token: ${TOKEN}`, "connection: close"]
      socket.write([`GET ${path} HTTP/1.1`, ...headers, "", ""].join("\r\n"))
    })
    socket.on("data", (bytes) => {
      resume(Effect.succeed(Number(bytes.toString("latin1").split(" ", 2)[1])))
      socket.destroy()
    })
    socket.on("error", (error) => resume(Effect.die(error)))
    return Effect.sync(() => socket.destroy())
  })

const databaseUrl = inject("databaseUrl")

/** Uses PostgreSQL if available, because it starts faster than the embedded database. */
const server = (env: Record<string, string>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const database = databaseUrl === null ? {} : { DATABASE_URL: Redacted.value(yield* temporaryDatabase(databaseUrl)) }
      return Standalone.layer({ matches: 0, speed: 1, env: { MATCHPOINT_ADMIN_TOKEN: TOKEN, ...database, ...env } })
    }),
  )

const admin = ["/admin/v1/accounts", "/admin/openapi.json", "/metrics"]
/** Other spellings of these paths. A router that normalises paths would accept each of them. */
const others = [
  "//admin/v1/accounts",
  "/admin//v1/accounts",
  "/ADMIN/v1/accounts",
  "/%61dmin/v1/accounts",
  "/admin/v1/accounts/",
  "/admin/v1/accounts;x",
  "/./admin/v1/accounts",
  "/x/../admin/v1/accounts",
  "//metrics",
  "/Metrics",
  "/metrics/",
  "/%6Detrics",
]

it.layer(server({}), { excludeTestServices: true, timeout: "120 seconds" })("without a separate port", (it) => {
  it.effect("serves the admin API on the main port, under exactly its paths", () =>
    Effect.gen(function* () {
      const { url } = yield* Standalone
      for (const path of admin) assert.strictEqual(yield* statusOf(url, path), 200, path)
      for (const path of others) assert.strictEqual(yield* statusOf(url, path), 404, path)
    }),
  )
})

class AdminUrl extends Context.Service<AdminUrl, string>()("@matchpoint/test/e2e/admin/listener.full.test/AdminUrl") {}

const onTwoPorts = Layer.unwrap(
  Effect.map(freePort, (port) =>
    server({ MATCHPOINT_ADMIN_PORT: String(port) }).pipe(Layer.provideMerge(Layer.succeed(AdminUrl, `http://127.0.0.1:${port}`))),
  ),
)

it.layer(onTwoPorts, { excludeTestServices: true, timeout: "120 seconds" })("with a separate port", (it) => {
  it.effect("serves the admin API and the metrics on the separate port only", () =>
    Effect.gen(function* () {
      const { output, url } = yield* Standalone
      const adminUrl = yield* AdminUrl
      for (const path of admin) assert.strictEqual(yield* statusOf(adminUrl, path), 200, path)
      for (const path of others) assert.strictEqual(yield* statusOf(adminUrl, path), 404, path)
      for (const path of [...admin, ...others]) assert.strictEqual(yield* statusOf(url, path), 404, path)
      assert.strictEqual(yield* statusOf(url, "/asyncapi.json"), 200)
      assert.strictEqual(yield* statusOf(adminUrl, "/asyncapi.json"), 404)
      assert.include(yield* output, adminUrl)
    }),
  )
})
