/**
 * Tests unusual requests of every kind. Each response has the API's format, the right status, a request id, and no
 * internal details.
 */
import { assert, it } from "@effect/vitest"
import { errorStatus } from "@matchpoint/contracts/http/errors"
import { ErrorEnvelope, Problem } from "@matchpoint/contracts/http/problem"
import { Effect, Schema } from "effect"
import { bareGateway, GOOD_KEY, origin } from "../../fixtures/bareGateway.ts"
import { type Answer, ask } from "../../fixtures/twoGateways.ts"

const decodeEnvelope = Schema.decodeUnknownSync(Schema.fromJsonString(ErrorEnvelope))
const decodeProblem = Schema.decodeUnknownSync(Schema.fromJsonString(Problem))

/** Text that reveals internals: stack traces, files, modules, the database. */
const internals = /\bat .+:\d+:\d+|node_modules|\.ts\b|effect\/|[a-z]Error\b|SELECT |[Pp]ostgres|pglite|\[object/

const key = { "x-api-key": GOOD_KEY }

/** Asserts that an error response has one of the two formats, and that its code fits its status. Returns the code. */
const assertErrorFormat = (answer: Answer, what: string): string => {
  assert.match(answer.headers.get("x-request-id") ?? "", /^[A-Za-z0-9._-]{1,64}$/, what)
  assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff", what)
  assert.notMatch(answer.text, internals, what)
  if (answer.headers.get("content-type") === "application/problem+json") {
    const problem = decodeProblem(answer.text)
    assert.strictEqual(problem.status, answer.status, what)
    assert.strictEqual(problem.instance, `urn:matchpoint:request:${answer.headers.get("x-request-id")}`, what)
    assert.strictEqual(errorStatus[problem.code], answer.status, what)
    return problem.code
  }
  assert.strictEqual(answer.headers.get("content-type"), "application/json", what)
  const { code } = decodeEnvelope(answer.text).error
  assert.strictEqual(errorStatus[code], answer.status, what)
  return code
}

it.layer(bareGateway(), { timeout: 60_000, excludeTestServices: true })("odd requests", (it) => {
  it.effect("answers 405 with Allow to a wrong method and 404 to a wrong path", () =>
    Effect.gen(function* () {
      const here = yield* origin
      const cases: ReadonlyArray<readonly [string, string, number, string | null]> = [
        ["POST", "/api/v1/cs2/live", 405, "GET, HEAD"],
        ["DELETE", "/api/v1/cs2/live/cs2-match-1/state", 405, "GET, HEAD"],
        ["PATCH", "/api/v1/usage?period=2026-11", 405, "GET, HEAD"],
        ["PUT", "/api/v1/cs2/live/stream", 405, "GET, HEAD"],
        ["PROPFIND", "/api/v1/plans", 405, "GET, HEAD"],
        ["GET", "/feed/v1/matches/m/log", 405, "POST"],
        ["OPTIONS", "/feed/v1/matches", 405, "POST"],
        ["PUT", "/admin/v1/accounts", 405, "GET, POST, HEAD"],
        ["POST", "/API/v1/Plans", 404, null],
        ["POST", "/api/v1/cs2", 405, "GET, HEAD"],
        ["POST", "/api/v1/cs3", 404, null],
        ["GET", "/api/v2/cs2/live", 404, null],
        ["PROPFIND", "/api/v1/nothing", 404, null],
        ["GET", "/api/v1/cs2/live/", 200, null],
      ]
      for (const [method, path, status, allow] of cases) {
        const answer = yield* ask(here + path, key, { method })
        assert.strictEqual(answer.status, status, `${method} ${path}`)
        if (status === 200) continue
        assert.strictEqual(assertErrorFormat(answer, path), status === 405 ? "METHOD_NOT_ALLOWED" : "NOT_FOUND")
        assert.deepStrictEqual(new Set(answer.headers.get("allow")?.split(", ")), new Set(allow?.split(", ")), path)
      }
    }),
  )

  it.effect("keeps the client's request id if it is valid", () =>
    Effect.gen(function* () {
      const here = yield* origin
      const idOf = (sent: string) =>
        Effect.map(ask(`${here}/api/v1/cs2/live`, { ...key, "x-request-id": sent }), ({ headers }) => headers.get("x-request-id") ?? "")
      assert.strictEqual(yield* idOf("my-request_1.2"), "my-request_1.2")
      assert.strictEqual(yield* idOf("x".repeat(64)), "x".repeat(64))
      const generated = [yield* idOf("x".repeat(65)), yield* idOf("a b"), yield* idOf('"><script>'), yield* idOf("")]
      assert.strictEqual(new Set(generated).size, 4)
      for (const id of generated) assert.match(id, /^[0-9a-f]{10}-[0-9a-z]+$/)
      const problem = yield* ask(`${here}/nothing`, { accept: "application/problem+json", "x-request-id": "mine" })
      assert.strictEqual(decodeProblem(problem.text).instance, "urn:matchpoint:request:mine")
    }),
  )

  it.effect("sends CORS headers for public paths only, and security headers to browsers", () =>
    Effect.gen(function* () {
      const here = yield* origin
      const requestHeaders = { ...key, origin: "https://example.org" }
      for (const path of ["/api/v1/cs2/live", "/api/v1/nothing", "/openapi.json"]) {
        const { headers } = yield* ask(here + path, requestHeaders)
        assert.strictEqual(headers.get("access-control-allow-origin"), "*", path)
        assert.sameMembers((headers.get("access-control-expose-headers") ?? "").split(","), [
          "etag",
          "ratelimit",
          "ratelimit-policy",
          "retry-after",
          "x-matchpoint-notice",
          "x-request-id",
        ])
      }
      for (const path of [
        "/admin/v1/accounts",
        "/feed/v1/matches",
        "/admin",
        "/feed?x",
        "//admin/v1/accounts",
        "/%61dmin/v1/accounts",
        "/ADMIN/v1/accounts",
      ]) {
        for (const method of ["GET", "OPTIONS", "POST"]) {
          const { headers } = yield* ask(here + path, { ...requestHeaders, "access-control-request-method": "POST" }, { method })
          assert.deepStrictEqual(
            [...headers.keys()].filter((name) => name.startsWith("access-control")),
            [],
            `${method} ${path}`,
          )
        }
      }
      const docs = yield* ask(`${here}/docs`, {})
      assert.include(docs.headers.get("content-security-policy"), "frame-ancestors 'none'")
      assert.include(docs.headers.get("content-security-policy"), "default-src 'none'")
      assert.notInclude(docs.headers.get("content-security-policy")?.replace(/style-src[^;]*/, ""), "unsafe")
      assert.strictEqual(docs.headers.get("referrer-policy"), "no-referrer")
      assert.isNull(docs.headers.get("strict-transport-security"))
      // Responses that belong to a customer must not be cached.
      assert.strictEqual((yield* ask(`${here}/api/v1/plans`, key)).headers.get("cache-control"), "no-store")
    }),
  )

  it.effect("answers 500 without internal details if a handler fails with a defect", () =>
    Effect.gen(function* () {
      const here = yield* origin
      for (const accept of ["*/*", "application/problem+json"]) {
        const answer = yield* ask(`${here}/api/v1/usage`, { ...key, accept })
        assert.strictEqual(answer.status, 500)
        assert.strictEqual(assertErrorFormat(answer, accept), "INTERNAL_ERROR")
      }
    }),
  )

  const Segment = Schema.Union([
    Schema.String,
    Schema.Literals([
      "api",
      "v1",
      "cs2",
      "live",
      "usage",
      "sessions",
      "cs2-match-1",
      "state",
      "%00",
      "%",
      "%zz",
      "..",
      ".",
      "%2e%2e",
      "%2f",
      "__proto__",
    ]),
    Schema.Literals(["a".repeat(3_000), "%F0%9F%98%80", "'", "<script>", "*", ":matchId", "constructor"]),
  ])
  const Odd = Schema.Struct({
    method: Schema.Literals(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "M-SEARCH"]),
    below: Schema.Literals(["/", "/api/v1/", "/api/v1/cs2/live/", "/api/v1/usage/", "/admin/v1/", "/feed/v1/", "/assets/cs2/"]),
    segments: Schema.Array(Segment).check(Schema.isMaxLength(4)),
    query: Schema.Array(
      Schema.Tuple([
        Schema.Literals(["limit", "page", "shape", "period", "from", "to", "source", "apiKey", "__proto__", "%"]),
        Schema.String,
      ]),
    ).check(Schema.isMaxLength(4)),
    accept: Schema.Literals(["*/*", "application/problem+json", "text/html", "application/vnd.svc.cs2.v9+json", ";;;,q=", ""]),
    body: Schema.Literals(["", "{", "null", '{"a":', "[".repeat(5_000), "\u0000", '{"__proto__":{}}']),
    withKey: Schema.Boolean,
  })

  it.effect.prop(
    "answers any request in the API's format",
    { odd: Odd },
    ({ odd }) =>
      Effect.gen(function* () {
        const here = yield* origin
        const path =
          odd.below +
          odd.segments
            .map((segment) =>
              segment.includes("%") ? segment.replace(/[^\x21-\x7e]|[?#\\]/g, "") : encodeURIComponent(segment.toWellFormed()),
            )
            .join("/")
        const query = odd.query.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join("&")
        const takesBody = odd.method !== "GET" && odd.method !== "HEAD" && odd.method !== "OPTIONS"
        const answer = yield* ask(
          `${here}${path}?${query}`,
          { ...(odd.withKey ? key : {}), accept: odd.accept, "content-type": "application/json" },
          { method: odd.method, ...(takesBody && odd.body !== "" ? { body: odd.body } : {}) },
        )
        const what = `${odd.method} ${path.slice(0, 200)}?${query.slice(0, 200)}`
        // The server rejects an oversized request before any handler runs.
        if (answer.status < 400 || answer.status === 431 || odd.method === "HEAD") return
        if (answer.status === 404 && odd.accept === "text/html" && answer.headers.get("content-type")?.startsWith("text/html")) {
          assert.include(answer.text, "<title>Page not found</title>", what)
          assert.notMatch(answer.text, internals, what)
          return
        }
        assertErrorFormat(answer, `${what}: ${answer.status} ${answer.text.slice(0, 300)}`)
        // The only defects are those of usage, because this gateway has no database.
        if (answer.status === 500) assert.match(path, /usage/, what)
      }),
    { arbitrary: { runs: 400 } },
  )
})
