/** Tests unknown addresses: browsers get a page, programs get JSON. Neither reveals details of the server. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { KEY, memoryStack, Stack } from "../../fixtures/stack.ts"

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
const unknown = [
  "/nope",
  "/docs/nope.js",
  "/api/v1/nope",
  "/api/v1/cs2/live/cs2-match-1/nope",
  "/admin/nope",
  "/feed/nope",
  "/%3Cscript%3E",
]

const ask = Effect.fnUntraced(function* (path: string, accept: string, method = "GET") {
  const { origin } = new URL((yield* Stack).url)
  return yield* Effect.promise(async () => {
    const answer = await fetch(origin + path, { method, headers: { accept, "x-api-key": KEY }, signal: AbortSignal.timeout(10_000) })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  })
})

it.layer(memoryStack, { timeout: 60_000, excludeTestServices: true })("unknown addresses", (it) => {
  for (const path of unknown) {
    it.effect(`${path} answers a page to browsers and JSON to programs`, () =>
      Effect.gen(function* () {
        const page = yield* ask(path, browser)
        assert.strictEqual(page.status, 404)
        assert.match(page.headers.get("content-type") ?? "", /^text\/html/)
        assert.match(page.text, /^<!doctype html>[\s\S]*<h1>Page not found<\/h1>/)
        assert.notInclude(page.text, "nope")
        assert.notMatch(page.text, /effect|uws|node_modules|stack|%3Cscript/i)
        assert.include(page.headers.get("content-security-policy") ?? "", "default-src 'none'")
        assert.match(page.headers.get("vary") ?? "", /^Accept\b/)
        assert.strictEqual(page.headers.get("cache-control"), "no-store")
        assert.strictEqual((yield* ask(path, browser, "HEAD")).status, 404)

        for (const accept of ["*/*", "application/json", "application/problem+json"]) {
          const json = yield* ask(path, accept)
          assert.strictEqual(json.status, 404)
          assert.match(json.headers.get("content-type") ?? "", /^application\/(problem\+)?json/)
          assert.include(json.text, '"NOT_FOUND"')
        }
      }),
    )
  }

  it.effect("answers JSON if a resource is missing or a path does not support the method", () =>
    Effect.gen(function* () {
      for (const [path, method, status] of [
        ["/api/v1/cs2/live/cs2-match-999999/state", "GET", 404],
        ["/api/v1/cs2/live", "DELETE", 405],
        ["/nope", "POST", 404],
      ] as const) {
        const answer = yield* ask(path, browser, method)
        assert.deepStrictEqual([answer.status, answer.headers.get("content-type")], [status, "application/json"], path)
      }
    }),
  )
})
