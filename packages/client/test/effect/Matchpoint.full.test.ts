/** The Effect client over real sockets: Node's own WebSocket, npm `ws`, and a streamed fetch. */
import { assert, it } from "@effect/vitest"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { Clock, Effect, Fiber, Redacted, Schedule, Stream } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { WebSocket } from "ws"
import type { LiveOptions } from "../../src/ClientOptions.ts"
import { Matchpoint, type MatchpointOptions } from "../../src/effect/Matchpoint.ts"
import type { LiveNotice } from "../../src/LiveChange.ts"
import { KEY, LiveTestServer } from "../LiveTestServer.ts"

const id = matchId(1)
const other = matchId(2)

const clientOf = (server: LiveTestServer, options: Partial<MatchpointOptions> = {}) =>
  Matchpoint.pipe(Effect.provide(Matchpoint.layer({ baseUrl: server.url, apiKey: Redacted.make(KEY), ...options })))

const until = (what: string, holds: () => boolean) =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.fail(what))).pipe(
    Effect.retry(Schedule.spaced("5 millis")),
    Effect.timeout("10 seconds"),
    Effect.orDie,
  )

interface Way {
  readonly name: string
  readonly client?: Partial<MatchpointOptions>
  readonly live: LiveOptions
}

const ways: ReadonlyArray<Way> = [
  { name: "Node's WebSocket", live: {} },
  { name: "npm ws", client: { webSocket: (url, headers) => new WebSocket(url, { headers }) }, live: {} },
  { name: "SSE", live: { transport: "sse" } },
]

for (const way of ways) {
  it.live(`${way.name}: resumes after every cut, delivers every change once, and closes with its reader`, () =>
    Effect.gen(function* () {
      const server = yield* LiveTestServer.start("v2")
      const { live } = yield* clientOf(server, way.client)
      server.model.make(id)
      const notices: Array<LiveNotice> = []
      const seqs: Array<number> = []
      const seqsBeforeLive: Array<number> = []
      const onNotice = (notice: LiveNotice) => {
        notices.push(notice)
        if (notice.type === "live") seqsBeforeLive.push(seqs.length)
      }
      const following = yield* live.match(id, { ...way.live, onNotice }).pipe(
        Stream.tap((change) => Effect.sync(() => seqs.push(change.seq))),
        Stream.takeUntil((change) => change.seq >= 40),
        Stream.runCollect,
        Effect.forkChild,
      )
      yield* until("first change", () => seqs.length > 0)
      while (server.model.newest(id)?.seq !== 40) {
        const seq = server.model.newest(id)?.seq ?? 0
        if (seq % 10 === 0) {
          server.cut()
          server.model.make(id)
        } else {
          server.model.make(id)
          server.flush()
        }
        if (seq % 10 === 5) yield* until("connected", () => server.isFollowed)
      }
      const changes = yield* Fiber.join(following)
      assert.deepStrictEqual(
        changes.map(({ seq }) => seq),
        Array.from({ length: 40 }, (_, index) => index + 1),
      )
      assert.isTrue(changes.every(({ missing }) => missing.length === 0))
      assert.strictEqual(seqsBeforeLive[0], 1)
      assert.deepStrictEqual<unknown>(changes.at(-1)?.match, server.model.newest(id)?.document)
      assert.isTrue(notices.some((notice) => notice.type === "resumed" && notice.verdict === "recovered"))
      yield* until("closed", () => !server.isFollowed)
      assert.isTrue(server.requests.every(({ headers }) => headers["x-api-key"] === KEY))
      assert.isTrue(server.requests.every(({ path }) => !path.includes(KEY)))
    }),
  )

  it.live(`${way.name}: an unknown key and an invalid match id are fatal`, () =>
    Effect.gen(function* () {
      const server = yield* LiveTestServer.start("v2")
      const { live } = yield* clientOf(server, { ...way.client, apiKey: Redacted.make("mp_wrong") })
      const refused = yield* Effect.flip(Stream.runDrain(live.match(id, way.live)))
      assert.strictEqual(refused.reason, "Unauthorized")
      const noId = yield* Effect.flip(Stream.runDrain(live.match("nonsense", way.live)))
      assert.strictEqual(noId.reason, "MatchNotFound")
    }),
  )

  it.live(`${way.name}: honours Retry-After and connects again`, () =>
    Effect.gen(function* () {
      const server = yield* LiveTestServer.start("v2")
      const { live } = yield* clientOf(server, way.client)
      server.model.make(id)
      const refusal = { status: 503, headers: { "retry-after": "1" } }
      // A WebSocket does not report the status of its handshake: the client asks again over HTTP.
      server.refusals.push(...(way.live.transport === "sse" ? [refusal] : [refusal, refusal]))
      const notices: Array<LiveNotice> = []
      const changes = yield* live
        .match(id, { ...way.live, onNotice: (notice) => notices.push(notice) })
        .pipe(Stream.take(1), Stream.runCollect)
      assert.strictEqual(changes[0]?.seq, 1)
      const stale = notices.find((notice) => notice.type === "stale")
      assert.isAtLeast(stale?.retryInMs ?? 0, 1_000)
    }),
  )

  it.live(`${way.name}: resumes all matches from an earlier run, change by change`, () =>
    Effect.gen(function* () {
      const server = yield* LiveTestServer.start("v2")
      const { live } = yield* clientOf(server, way.client)
      server.model.make(id)
      server.model.make(other)
      const before = yield* live.all(way.live).pipe(
        Stream.tap((change) =>
          Effect.sync(() => {
            if (change.matchId === other && change.base === undefined) {
              server.model.make(id)
              server.flush()
            }
          }),
        ),
        Stream.takeUntil(({ base }) => base !== undefined),
        Stream.runCollect,
      )
      const last = before.at(-1)
      assert.isDefined(last?.cursor)
      if (last?.cursor === undefined) return
      for (let count = 0; count < 5; count++) for (const one of [id, other]) server.model.make(one)
      const matches = [...new Map(before.map((change) => [change.matchId, change])).values()]
      const after = yield* live.all({ ...way.live, resume: { cursor: last.cursor, matches } }).pipe(Stream.take(10), Stream.runCollect)
      for (const [one, from] of [
        [id, 3],
        [other, 2],
      ] as const) {
        const seqs = after.flatMap((change) => (change.matchId === one ? [change.seq] : []))
        assert.deepStrictEqual(
          seqs,
          Array.from({ length: 5 }, (_, index) => from + index),
        )
      }
      assert.strictEqual(after[0]?.resumed, "recovered")
    }),
  )
}

it.live("close codes decide whether to reconnect", () =>
  Effect.gen(function* () {
    const server = yield* LiveTestServer.start("v1")
    const { live } = yield* clientOf(server)
    server.model.make(id)
    const seqs: Array<number> = []
    const following = yield* live.match(id, { shape: "v1" }).pipe(
      Stream.runForEach((change) => Effect.sync(() => seqs.push(change.seq))),
      Effect.flip,
      Effect.forkChild,
    )
    yield* until("first change", () => seqs.length === 1)
    server.close(3008, "too slow")
    yield* until("closed", () => !server.isFollowed)
    server.model.make(id)
    yield* until("second change", () => seqs.length === 2)
    server.close(3501, "too many malformed messages")
    assert.strictEqual((yield* Fiber.join(following)).reason, "Refused")
    assert.deepStrictEqual(seqs, [1, 2])
  }),
)

it.live("reads are retried while the server is unavailable, and after no other errors", () =>
  Effect.gen(function* () {
    const server = yield* LiveTestServer.start("v2")
    const { rest } = yield* clientOf(server)
    server.refusals.push({ status: 503 }, { status: 503, headers: { "retry-after": "1" } })
    const startedAt = yield* Clock.currentTimeMillis
    assert.deepStrictEqual((yield* rest["cs2-live"].list({ query: {} })).data, [])
    assert.strictEqual(server.requests.length, 3)
    assert.isAtLeast((yield* Clock.currentTimeMillis) - startedAt, 1_000)
    server.refusals.push({ status: 401 })
    const refused = yield* Effect.flip(rest["cs2-live"].list({ query: {} }))
    assert.strictEqual("error" in refused && refused.error.code, "INVALID_API_KEY")
    assert.strictEqual(server.requests.length, 4)
  }),
)

it.live("falls back to server-sent events if the plan has no WebSockets, unless a WebSocket was requested", () =>
  Effect.gen(function* () {
    const server = yield* LiveTestServer.start("v2")
    const { live } = yield* clientOf(server)
    server.model.make(id)
    server.account = { ...server.account, plan: "pro", limits: { features: [] } }
    const refused = { status: 403 }
    server.refusals.push(refused)
    const notices: Array<LiveNotice> = []
    const seqs: Array<number> = []
    yield* live.match(id, { onNotice: (notice) => notices.push(notice) }).pipe(
      Stream.tap(({ seq }) => Effect.sync(() => seqs.push(seq))),
      Stream.take(2),
      Stream.runDrain,
      Effect.forkChild,
    )
    yield* until("first change", () => seqs.length === 1)
    server.model.make(id)
    server.flush()
    yield* until("second change", () => seqs.length === 2)
    assert.deepStrictEqual(
      server.requests.map(({ path }) => path.replace(/[?].*/, "")),
      ["/api/v1/cs2/live/ws", "/api/v1/usage", "/api/v1/cs2/live/stream"],
    )
    assert.deepStrictEqual(seqs, [1, 2])
    const [stale] = notices
    assert.match(stale?.type === "stale" ? stale.reason : "", /does not include live-websockets/)
    server.refusals.push(refused)
    const error = yield* live.match(id, { transport: "websocket" }).pipe(Stream.runDrain, Effect.flip)
    assert.deepInclude(error, { reason: "PlanRequired", code: "PLAN_REQUIRED" })
  }),
)

for (const way of ways) {
  it.live(`${way.name}: a used-up month is fatal, at the handshake and on an open connection`, () =>
    Effect.gen(function* () {
      const server = yield* LiveTestServer.start("v2")
      const { live } = yield* clientOf(server, way.client)
      server.model.make(id)
      const details = { limit: "requests_per_month", retryAfterSeconds: 1_000_000 }
      const error = { code: "RATE_LIMIT_EXCEEDED", message: "used up", details }
      server.account = { ...server.account, remaining: 0 }
      server.refusals.push({ status: 429, headers: { "retry-after": "1000000" }, error })
      const atTheDoor = yield* live.match(id, way.live).pipe(Stream.runDrain, Effect.flip)
      assert.deepInclude(atTheDoor, { reason: "LimitExceeded", code: "RATE_LIMIT_EXCEEDED" })
      assert.isAtLeast(atTheDoor.retryAfterMs ?? 0, 1_000_000_000)
      const inTheMiddle = yield* live.match(id, way.live).pipe(
        Stream.tap(() =>
          Effect.sync(() => {
            server.model.wire.push({ type: "error", code: "RATE_LIMIT_EXCEEDED", message: "used up" })
            server.flush()
          }),
        ),
        Stream.runDrain,
        Effect.flip,
      )
      assert.deepInclude(inTheMiddle, { reason: "LimitExceeded", code: "RATE_LIMIT_EXCEEDED" })
    }),
  )
}

it.live("a read is not retried if Retry-After is long", () =>
  Effect.gen(function* () {
    const server = yield* LiveTestServer.start("v2")
    const { rest } = yield* clientOf(server)
    const details = { limit: "requests_per_month", plan: "free", allowed: 500, resetsAt: "2100-01-01T00:00:00.000Z", retryAfterSeconds: 31 }
    server.refusals.push({
      status: 429,
      headers: { "retry-after": "31" },
      error: { code: "RATE_LIMIT_EXCEEDED", message: "used up", details },
    })
    const refused = yield* Effect.flip(rest["cs2-live"].list({ query: {} }))
    assert.deepStrictEqual("error" in refused && "details" in refused.error ? refused.error.details : undefined, details)
    assert.strictEqual(server.requests.length, 1)
  }),
)

it.live("streams are read with the HttpClient of the context", () =>
  Effect.gen(function* () {
    const server = yield* LiveTestServer.start("v2")
    server.model.make(id)
    const sent: Array<string> = []
    const http = HttpClient.tapRequest(yield* HttpClient.HttpClient, ({ url }) => Effect.sync(() => sent.push(url)))
    const { live } = yield* Matchpoint.make({ baseUrl: server.url, apiKey: Redacted.make(KEY) }).pipe(
      Effect.provideService(HttpClient.HttpClient, http),
    )
    yield* live.match(id, { transport: "sse" }).pipe(Stream.take(1), Stream.runDrain)
    assert.deepStrictEqual(
      sent.map((url) => url.replace(/[?].*/, "")),
      [`${server.url}/api/v1/cs2/live/stream`],
    )
    yield* until("closed", () => !server.isFollowed)
  }).pipe(Effect.provide(FetchHttpClient.layer)),
)
