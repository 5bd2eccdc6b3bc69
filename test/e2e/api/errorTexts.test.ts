/** Tests that errors name the cause and what to do: keys, parameters, paths. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { bareGateway, GOOD_KEY, origin } from "../../fixtures/bareGateway.ts"
import { ask } from "../../fixtures/twoGateways.ts"

const key = { "x-api-key": GOOD_KEY }

/** Returns status, message and details of the error that a path answers. */
const errorOf = Effect.fnUntraced(function* (path: string, headers: Readonly<Record<string, string>> = key) {
  const { status, text } = yield* ask(`${yield* origin}/api/v1${path}`, headers)
  const { error } = JSON.parse(text)
  return { status, message: String(error.message ?? error), details: error.details }
})

it.layer(bareGateway(), { timeout: 60_000, excludeTestServices: true })("errors say what to do", (it) => {
  it.effect("no key and a wrong key are different errors", () =>
    Effect.gen(function* () {
      const missing = yield* errorOf("/cs2/live", {})
      const wrong = yield* errorOf("/cs2/live", { "x-api-key": "mp_nobody" })
      assert.deepStrictEqual([missing.status, wrong.status], [401, 401])
      assert.match(missing.message, /^the request has no API key; .*x-api-key/)
      assert.match(wrong.message, /^the API key is unknown, expired or revoked; /)
    }),
  )

  it.effect("an unknown query parameter is rejected with the nearest name, after the key", () =>
    Effect.gen(function* () {
      for (const path of ["/cs2/live?limt=5", "/tennis/matches/live?limt=5", "/live?limt=5", "/apex/live?limt=5", "/cod/live?limt=5"]) {
        const { details, message, status } = yield* errorOf(path)
        assert.strictEqual(status, 400, path)
        assert.include(message, "did you mean limit?", path)
        assert.strictEqual(details.parameter, "limt", path)
      }
      assert.include((yield* errorOf("/plans?limit=5")).message, "it has none")
      assert.include((yield* errorOf("/qr/generate?dta=x")).message, "did you mean data?")
      assert.include((yield* errorOf("/cs2/live/stream?shpe=v2")).message, "did you mean shape?")
      assert.strictEqual((yield* errorOf("/cs2/live?limt=5", {})).status, 401)
      // The parameters of announced endpoints are not decided.
      assert.strictEqual((yield* errorOf("/valorant/matches/live?limt=5")).status, 501)
    }),
  )

  it.effect("a wrong value says what is expected, without a regular expression", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [string, RegExp]> = [
        ["/cs2/live?limit=abc", /limit is invalid; expected a whole number, at least 1$/],
        ["/cs2/live?page=0", /page is invalid; expected a whole number, at least 1$/],
        ["/cs2/matches/recent?team=a%20b", /team is invalid; expected Id or slug: `cs2-team-12`/],
        ["/cs2/matches/recent?from=monday", /from is invalid; expected an ISO 8601 UTC time such as/],
        ["/cs2/matches/x", /matchId is invalid; expected Id of the match/],
      ]
      for (const [path, expected] of cases) {
        const { details, message, status } = yield* errorOf(path)
        assert.strictEqual(status, 400, path)
        assert.match(message, expected, path)
        assert.notInclude(JSON.stringify([message, details]), "RegExp", path)
      }
    }),
  )

  it.effect("the path of a live match names what is below it", () =>
    Effect.gen(function* () {
      const { message, status } = yield* errorOf("/cs2/live/cs2-match-1001")
      assert.strictEqual(status, 404)
      assert.include(message, "below it are ")
      assert.include(message, "/state")
      assert.include((yield* errorOf("/nothing")).message, "/docs describes every endpoint")
    }),
  )

  it.effect("every game has a live list at the same path", () =>
    Effect.gen(function* () {
      for (const game of ["apex", "cod", "cs2", "tennis"]) {
        const { status, text } = yield* ask(`${yield* origin}/api/v1/${game}/live?limit=5`, key)
        assert.strictEqual(status, 200, text)
        assert.deepInclude(JSON.parse(text).meta, { limit: 5, page: 1 }, game)
      }
    }),
  )

  it.effect("a bulk resend without fields names them", () =>
    Effect.gen(function* () {
      const path = "/api/v1/webhooks/00000000-0000-4000-8000-000000000000/resend"
      const { status, text } = yield* ask(
        `${yield* origin}${path}`,
        { ...key, "content-type": "application/json" },
        { method: "POST", body: "{}" },
      )
      assert.strictEqual(status, 400, text)
      assert.include(text, "expected a JSON object with since, or with match_id, epoch, seq")
    }),
  )
})
