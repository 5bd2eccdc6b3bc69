/** REST reads without Effect: addresses, answers, retries and errors. */
import { assert, it } from "@effect/vitest"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { Effect } from "effect"
import { createClient } from "../../src/plain/createClient.ts"
import { RequestError } from "../../src/plain/RequestError.ts"
import { KEY, LiveTestServer } from "../LiveTestServer.ts"
import { rejection } from "./until.ts"

const withServer = (name: string, run: (server: LiveTestServer) => Promise<void>) =>
  it.live(name, () => Effect.flatMap(LiveTestServer.start("v2"), (server) => Effect.promise(() => run(server))))

const clientOf = ({ url }: LiveTestServer) => createClient({ baseUrl: `${url}/`, apiKey: KEY })

withServer("fills in parameters and the query, and returns data, paging and the server's clock", async (server) => {
  const client = clientOf(server)
  const { body, data, meta, serverTime } = await client.get("/cs2/live", { query: { limit: 5 } })
  assert.deepStrictEqual(data, [])
  assert.strictEqual(meta.total, 0)
  assert.deepStrictEqual([body.data, body.meta], [data, meta])
  assert.closeTo(serverTime ?? 0, Date.now(), 5_000)
  await client.get("/cs2/teams/:teamIdOrSlug", { params: { teamIdOrSlug: "a/b" } })
  assert.deepStrictEqual(
    server.requests.map(({ path }) => path),
    ["/api/v1/cs2/live?limit=5", "/api/v1/cs2/teams/a%2Fb"],
  )
  assert.isTrue(server.requests.every(({ headers }) => headers["x-api-key"] === KEY))
})

withServer("retries while the server is unavailable, not before Retry-After, and after no other errors", async (server) => {
  const client = clientOf(server)
  server.refusals.push({ status: 503 }, { status: 503, headers: { "retry-after": "1" } })
  const startedAt = performance.now()
  await client.get("/cs2/live")
  assert.strictEqual(server.requests.length, 3)
  assert.isAtLeast(performance.now() - startedAt, 1_000)
  server.refusals.push({ status: 401 })
  const refused = await rejection(client.get("/cs2/live"))
  assert.instanceOf(refused, RequestError)
  assert.deepInclude(refused, { status: 401, code: "INVALID_API_KEY" })
  assert.strictEqual(server.requests.length, 4)
})

withServer("does not retry if Retry-After is long, and keeps the details", async (server) => {
  const details = { limit: "requests_per_month", retryAfterSeconds: 31 }
  const error = { code: "RATE_LIMIT_EXCEEDED", message: "used up", details }
  server.refusals.push({ status: 429, headers: { "retry-after": "31" }, error })
  const refused = await rejection(clientOf(server).get("/cs2/live/:matchId/state", { params: { matchId: matchId(1) } }))
  assert.deepInclude(refused, { status: 429, code: "RATE_LIMIT_EXCEEDED", details, retryAfterMs: 31_000 })
  assert.strictEqual(server.requests.length, 1)
})

it.live("rejects with a network error after the last retry, and at once if the caller aborts", () =>
  Effect.promise(async () => {
    const client = createClient({ baseUrl: "http://127.0.0.1:9", apiKey: KEY, retries: 1 })
    const error = await rejection(client.get("/cs2/live"))
    assert.instanceOf(error, RequestError)
    assert.isUndefined(error instanceof RequestError ? error.status : 0)
    const aborted = await rejection(client.get("/cs2/live", { signal: AbortSignal.abort() }))
    assert.deepInclude(aborted, { name: "AbortError" })
  }),
)
