/**
 * Access to the admin API: only with the token in one of two headers, not from web pages, and limited after wrong
 * tokens.
 */
import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { FailedAttempts } from "@matchpoint/metering/FailedAttempts"
import { AuditLog } from "@matchpoint/store/keys/AuditLog"
import { Effect } from "effect"
import { AdminServer, adminServer, TOKEN } from "./adminServer.ts"

const get = Effect.fnUntraced(function* (headers: Record<string, string>, path = "/accounts") {
  const { url } = yield* AdminServer
  return yield* Effect.promise(async () => {
    const answer = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(10_000) })
    return { status: answer.status, code: /"code":"(\w+)"/.exec(await answer.text())?.[1] }
  })
})

const refused = { status: 401, code: "INVALID_ADMIN_TOKEN" }

it.layer(adminServer({ wrongTokens: 1_000 }), { excludeTestServices: true, timeout: "60 seconds" })("the admin token", (it) => {
  it.effect.each([
    [{ "x-admin-token": TOKEN }],
    [{ authorization: `Bearer ${TOKEN}` }],
    [{ authorization: `bearer ${TOKEN}`, "x-admin-token": "" }],
  ] as const)("accepts %o", ([headers]) => Effect.map(get({ ...headers }), ({ status }) => assert.strictEqual(status, 200)))

  it.effect.each([
    [{}],
    [{ "x-admin-token": "" }],
    [{ "x-admin-token": `${TOKEN}x` }],
    [{ "x-admin-token": TOKEN.slice(0, -1) }],
    [{ "x-admin-token": TOKEN.toUpperCase() }],
    [{ authorization: TOKEN }],
    [{ authorization: `Basic ${TOKEN}` }],
    [{ "x-api-key": TOKEN }],
    [{ "x-admin-token": "x".repeat(1_000) }],
    // A web page is rejected even with the right token.
    [{ "x-admin-token": TOKEN, origin: "https://example.com" }],
  ] as const)("rejects %o", ([headers]) => Effect.map(get({ ...headers }), (answer) => assert.deepStrictEqual(answer, refused)))

  it.effect("checks the token before it reads the body or changes anything", () =>
    Effect.gen(function* () {
      const { url } = yield* AdminServer
      const audit = yield* AuditLog
      for (const body of ["{", JSON.stringify({ name: "N", plan: "free" })]) {
        const init = { method: "POST", body, headers: { "content-type": "application/json" } }
        assert.strictEqual((yield* Effect.promise(() => fetch(`${url}/accounts`, init))).status, 401)
      }
      // A body that is announced but never sent.
      const { hostname, pathname, port } = new URL(`${url}/accounts`)
      const status = yield* Effect.callback<string>((resume) => {
        const socket = connect(Number(port), hostname, () => {
          const headers = [`host: ${hostname}`, "content-type: application/json", "content-length: 10000"]
          socket.write([`POST ${pathname} HTTP/1.1`, ...headers, "", ""].join("\r\n"))
        })
        socket.on("data", (bytes) => resume(Effect.succeed(bytes.toString("latin1").slice(0, 12))))
        return Effect.sync(() => socket.destroy())
      })
      assert.strictEqual(status, "HTTP/1.1 401")
      assert.deepStrictEqual(yield* audit.list({ limit: 1, offset: 0 }), { rows: [], total: 0 })
    }),
  )

  it.effect("rejects JSON that is nested too deeply with 400", () =>
    Effect.gen(function* () {
      const { url } = yield* AdminServer
      const body = `{"name":${"[".repeat(5_000)}${"]".repeat(5_000)},"plan":"free"}`
      const init = { method: "POST", body, headers: { "content-type": "application/json", "x-admin-token": TOKEN } }
      const answer = yield* Effect.promise(() => fetch(`${url}/accounts`, init))
      assert.strictEqual(answer.status, 400)
      assert.include(yield* Effect.promise(() => answer.text()), "VALIDATION_ERROR")
    }),
  )
})

it.layer(adminServer({ wrongTokens: 3, forgetAfterSeconds: 3_600 }), { excludeTestServices: true, timeout: "60 seconds" })(
  "wrong tokens",
  (it) => {
    it.effect("are limited: after too many, the address is rejected even with the right token", () =>
      Effect.gen(function* () {
        const right = { "x-admin-token": TOKEN }
        const wrong = { "x-admin-token": "guess" }
        for (const headers of [wrong, right, wrong, right]) yield* get(headers)
        assert.strictEqual((yield* get(right)).status, 200)
        assert.deepStrictEqual(yield* get(wrong), refused)
        assert.deepStrictEqual(yield* get(wrong), { status: 429, code: "TOO_MANY_HANDSHAKES" })
        assert.strictEqual((yield* get(right)).status, 429)
      }),
    )
  },
)

it.layer(adminServer({ token: null }), { excludeTestServices: true, timeout: "60 seconds" })("the admin API without a token", (it) => {
  it.effect.each(["/accounts", `/accounts/${TOKEN}`, "/audit"])("answers 404 for %s", (path) =>
    Effect.map(get({ "x-admin-token": TOKEN, authorization: "Bearer null" }, path), (answer) =>
      assert.deepStrictEqual(answer, { status: 404, code: "NOT_FOUND" }),
    ),
  )
})

describe("FailedAttempts", () => {
  const attempts = (capacity = 100) => new FailedAttempts({ atMost: 3, forgetAfterMs: 1_000, capacity })

  it.effect("forgets failures one at a time", () =>
    Effect.sync(() => {
      const failures = attempts()
      failures.failed("a", 0)
      failures.failed("a", 0)
      assert.strictEqual(failures.waitOf("a", 0), 0)
      failures.failed("a", 0)
      assert.strictEqual(failures.waitOf("a", 0), 1_000)
      assert.strictEqual(failures.waitOf("b", 0), 0)
      assert.strictEqual(failures.waitOf("a", 999), 1)
      assert.strictEqual(failures.waitOf("a", 1_000), 0)
      failures.failed("a", 1_000)
      assert.strictEqual(failures.waitOf("a", 1_000), 1_000)
      assert.strictEqual(failures.waitOf("a", 10_000), 0)
      failures.failed("a", 10_000)
      assert.strictEqual(failures.waitOf("a", 10_000), 0)
    }),
  )

  it.effect("keeps a bounded number of addresses and forgets those with the oldest failures first", () =>
    Effect.sync(() => {
      const failures = attempts(2)
      for (const address of ["a", "a", "a", "b", "b", "b", "a"]) failures.failed(address, 0)
      failures.failed("c", 0)
      assert.strictEqual(failures.waitOf("b", 0), 0)
      assert.isAbove(failures.waitOf("a", 0), 0)
    }),
  )
})
