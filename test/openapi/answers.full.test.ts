/**
 * Compares the responses of a running server with its own OpenAPI document: status, body, media type and headers of
 * every kind of response that a test can provoke.
 */
import { request as httpRequest, type IncomingHttpHeaders } from "node:http"
import { assert, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { termsOf } from "@matchpoint/domain/accounts"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { storedMetering } from "../fixtures/metering/metering.ts"
import { simulatedEvents } from "../fixtures/simulated.ts"
import { announce, feed, Stack, stack } from "../fixtures/stack.ts"
import { fitsOf, operationsOf, withoutReferences } from "./documents.ts"

const id = matchId(4_301)
const events = simulatedEvents(43, id)

const keys = {
  pro: termsOf("pro"),
  free: termsOf("free", { requestsPerSecond: 1_000 }),
  noQuota: termsOf("pro", { requestsPerMonth: 0 }),
  tennisOnly: termsOf("starter", { game: "tennis" }),
  oneRequestPerSecond: termsOf("starter", { requestsPerSecond: 1 }),
}
type KeyName = keyof typeof keys

const Playing = Layer.effectDiscard(
  Effect.gen(function* () {
    const register = yield* KeyRegister
    for (const [name, terms] of Object.entries(keys)) {
      yield* register.put({ secret: Redacted.make(`mp_test_${name}`), terms, label: name })
    }
    yield* announce(id)
    yield* feed(events.slice(0, Math.floor(events.length / 2)))
    yield* ask(`/cs2/live/${id}/scoreboard`, { as: "pro" }).pipe(
      Effect.filterOrFail(({ status }) => status === 200),
      Effect.retry(Schedule.spaced("200 millis")),
      Effect.timeout("20 seconds"),
    )
  }),
)

interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Empty for streams and upgrades. */
  readonly body: string
}

const handshake = {
  connection: "upgrade",
  upgrade: "websocket",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-version": "13",
}

const ask = (path: string, { as, headers = {} }: { readonly as?: KeyName; readonly headers?: Readonly<Record<string, string>> }) =>
  Effect.gen(function* () {
    const { url } = yield* Stack
    return yield* Effect.callback<Answered>((resume) => {
      const key = as === undefined ? {} : { "x-api-key": `mp_test_${as}` }
      const sent = httpRequest(url + path, { headers: { ...key, ...headers }, timeout: 10_000 })
      const answered = (status: number | undefined, received: IncomingHttpHeaders, body: string) =>
        resume(Effect.succeed({ status: status ?? 0, headers: received, body }))
      sent.on("timeout", () => sent.destroy(new Error(`no response to ${path}`)))
      sent.on("error", (error) => resume(Effect.die(error)))
      sent.on("upgrade", (response, socket) => {
        socket.destroy()
        answered(response.statusCode, response.headers, "")
      })
      sent.on("response", (response) => {
        if (response.headers["content-type"]?.startsWith("text/event-stream")) {
          response.destroy()
          return answered(response.statusCode, response.headers, "")
        }
        const chunks: Array<Buffer> = []
        response.on("data", (chunk) => chunks.push(chunk))
        response.on("end", () => answered(response.statusCode, response.headers, Buffer.concat(chunks).toString()))
      })
      sent.end()
      return Effect.sync(() => sent.destroy())
    })
  })

const loadDocument = Effect.gen(function* () {
  const { url } = yield* Stack
  const { origin } = new URL(url)
  const document = withoutReferences(yield* Effect.promise(() => fetch(`${origin}/openapi.json`).then((response) => response.json())))
  const fits = fitsOf(document)
  const operations = operationsOf(document)
    .filter(({ method }) => method === "get")
    .map(({ path, operation }) => ({
      operation,
      pattern: new RegExp(`^${path.slice(API_ROOT.length).replaceAll(/\{[^}]+\}/g, "[^/]+")}$`),
    }))
  return { operations, fits }
})

/** Headers that must be present exactly when the document describes them. */
const describedHeaders = ["x-request-id", "ratelimit", "ratelimit-policy", "retry-after", "etag"]

const problem = { accept: "application/problem+json" }

/** Path, calling key, request headers and expected status. */
const cases: ReadonlyArray<readonly [path: string, as: KeyName | undefined, headers: Readonly<Record<string, string>>, status: number]> = [
  ...["", "/{id}/socket", "/{id}/scoreboard", "/{id}/state", "/{id}/rounds", "/{id}/events", "/{id}/player-stats", "/{id}/maps"].flatMap(
    (path) => [
      [`/cs2/live${path}`, "pro", {}, 200] as const,
      [`/cs2/live${path}`, "pro", { accept: "application/vnd.svc.cs2.v2+json" }, 200] as const,
      [`/cs2/live${path}`, "pro", { "if-none-match": "*" }, 304] as const,
    ],
  ),
  ["/cs2/live/{id}/snapshots?limit=5", "pro", {}, 200],
  ["/plans", "free", {}, 200],
  ["/plans", "noQuota", {}, 200],
  ["/usage", "free", {}, 200],
  ["/usage/sessions", "free", {}, 200],
  ["/usage/sessions/00000000-0000-4000-8000-000000000000", "free", {}, 404],
  ["/usage?period=tomorrow", "free", {}, 400],
  ["/qr/generate?data=one&format=base64", "free", {}, 200],
  ["/qr/generate?data=one", "free", { "if-none-match": "*" }, 304],
  ["/qr/generate", "free", {}, 400],
  ["/qr/generate?data=one", undefined, {}, 401],
  ["/qr/generate?data=one", undefined, problem, 401],
  ["/qr/generate?data=one", "noQuota", {}, 429],
  ...([{}, problem] as const).flatMap((headers) => [
    ["/cs2/live?limit=many", "pro", headers, 400] as const,
    ["/cs2/live", undefined, headers, 401] as const,
    ["/cs2/live", "tennisOnly", headers, 403] as const,
    ["/cs2/live/cs2-match-999999/state", "pro", headers, 404] as const,
    ["/cs2/live", "noQuota", headers, 429] as const,
    ["/cs2/live/stream?shape=v3", "pro", headers, 400] as const,
    ["/cs2/live/stream", undefined, headers, 401] as const,
    ["/cs2/live/stream", "tennisOnly", headers, 403] as const,
    ["/cs2/live/stream?matchId=cs2-match-999999", "pro", headers, 404] as const,
    ["/cs2/live/stream", "noQuota", headers, 429] as const,
    ["/cs2/live/{id}/replay?speed=fast", "pro", headers, 400] as const,
    ["/cs2/live/cs2-match-999999/replay", "pro", headers, 404] as const,
    ["/cs2/live/{id}/replay", "noQuota", headers, 429] as const,
    ["/cs2/live/ws", "pro", headers, 426] as const,
    ["/cs2/live/ws", undefined, { ...handshake, ...headers }, 401] as const,
    ["/cs2/live/ws", "free", { ...handshake, ...headers }, 403] as const,
  ]),
  ["/cs2/live/stream", "free", {}, 200],
  ["/cs2/live/{id}/replay?faults=drop,stall&speed=0", "pro", {}, 200],
]

const metered = stack(EventLogMemory.layer({ streams }), embeddedMemory, storedMetering)

it.layer(Layer.provideMerge(Playing, metered), { timeout: 60_000, excludeTestServices: true })("responses and their document", (it) => {
  for (const [template, as, headers, status] of cases) {
    const path = template.replace("{id}", id)
    const sent = Object.keys(headers).length === 0 ? "" : ` with ${Object.keys(headers).join(", ")}`
    it.effect(`${path} with ${as === undefined ? "no key" : `key ${as}`}${sent} responds ${status} as described`, () =>
      Effect.gen(function* () {
        const { fits, operations } = yield* loadDocument
        const bare = path.split("?", 1)[0] ?? ""
        const described = operations.find(({ pattern }) => pattern.test(bare))?.operation.responses[String(status)]
        const answer = yield* ask(path, { headers, ...(as === undefined ? {} : { as }) })
        assert.strictEqual(answer.status, status, answer.body)
        if (described === undefined) return assert.fail("the document does not describe this response")
        const named = Object.keys(described.headers ?? {}).map((name) => name.toLowerCase())
        const missing = describedHeaders.filter((name) => named.includes(name) !== (answer.headers[name] !== undefined))
        assert.deepStrictEqual(missing, [], `headers: ${JSON.stringify(answer.headers)}`)
        if (answer.body === "") return
        const mediaType = answer.headers["content-type"]?.split(";", 1)[0] ?? ""
        if (status >= 400) assert.strictEqual(mediaType, headers["accept"] ?? "application/json")
        const content = described.content?.[mediaType]
        if (content === undefined) return assert.fail(`the document does not describe ${mediaType} here`)
        assert.isTrue(fits(content.schema, JSON.parse(answer.body)), answer.body.slice(0, 2_000))
      }),
    )
  }

  it.effect("/cs2/live above the rate limit responds 429 as described, with the time to wait", () =>
    Effect.gen(function* () {
      const { fits, operations } = yield* loadDocument
      const answers = yield* Effect.forEach(Array.from({ length: 10 }), () => ask("/cs2/live", { as: "oneRequestPerSecond" }), {
        concurrency: 10,
      })
      const refused = answers.find(({ status }) => status === 429)
      if (refused === undefined) return assert.fail("ten simultaneous requests were all accepted")
      const list = operations.find(({ operation }) => operation.operationId === "cs2-live.list")
      const schema = list?.operation.responses["429"]?.content?.["application/json"]?.schema
      assert.isTrue(schema !== undefined && fits(schema, JSON.parse(refused.body)), refused.body)
      assert.include(refused.body, '"requests_per_second"')
      assert.strictEqual(Number(refused.headers["retry-after"]), JSON.parse(refused.body).error.details.retryAfterSeconds)
    }),
  )
})
