/** What streams cost and when they end, on real sockets, by the test's clock, on every ledger there is. */
import { assert, it } from "@effect/vitest"
import { StreamMeter } from "@matchpoint/metering/StreamMeter"
import { eventually } from "@matchpoint/testing/realTime"
import { Clock, Effect, type Layer } from "effect"
import { describe, inject, vi } from "vitest"
import { addressOf, kinds, openChannel, refusedChannel, tryChannel } from "../../fixtures/metering/meteredChannels.ts"
import { id, playing } from "../../fixtures/metering/meteredMatch.ts"
import { Metered, onEmbedded, onMemory, onPostgres, type TestCustomer } from "../../fixtures/metering/meteredStack.ts"

// Each test starts a database and a server of its own.
vi.setConfig({ testTimeout: 120_000 })

const open = (kind: (typeof kinds)[number], { secret }: TestCustomer) =>
  Effect.flatMap(Metered, (where) => openChannel(kind, addressOf(kind, where, id), { "x-api-key": secret }))

const refused = (kind: (typeof kinds)[number], headers: Record<string, string>) =>
  Effect.flatMap(Metered, (where) => refusedChannel(kind, addressOf(kind, where, id), headers))

const openSessions = Effect.map(StreamMeter, (streams) => streams.openSessions())

const channelOf = { websocket: "websocket", sse: "sse", replay: "replay" } as const

const databaseUrl = inject("databaseUrl")

const ledgers: ReadonlyArray<readonly [string, () => Layer.Layer<Layer.Success<ReturnType<typeof onMemory>>>]> = [
  ["memory", () => onMemory()],
  ["PGlite", () => onEmbedded],
  ...(databaseUrl === null ? [] : ([["Postgres", () => onPostgres(databaseUrl)]] as const)),
]

describe.each(ledgers)("on the ledger of %s", (_, world) => {
  it.effect("a stream costs one at the connect and one for every full fifteen seconds, and its receipt says so", () =>
    Effect.gen(function* () {
      yield* playing
      const metered = yield* Metered
      for (const kind of kinds) {
        const customer = yield* metered.customer("scale")
        const channel = yield* open(kind, customer)
        const ready = yield* channel.receive("ready")
        assert.deepInclude(ready, {
          billing: { requests_at_connect: 1, requests_per_interval: 1, interval_seconds: 15, metered: true },
        })
        assert.match(channel.headers["x-request-id"] ?? "", /^\S+$/)
        const receipts = (ticks: number, closed: boolean) => [{ channel: channelOf[kind], ticks, closed }]
        assert.deepStrictEqual(yield* metered.bill(customer), { requests: 0, streamTicks: 1, receipts: receipts(1, false) })
        yield* metered.pass(14)
        assert.strictEqual((yield* metered.bill(customer)).streamTicks, 1)
        yield* metered.pass(2)
        assert.strictEqual((yield* metered.bill(customer)).streamTicks, 2)
        yield* metered.pass(30)
        assert.strictEqual((yield* metered.bill(customer)).streamTicks, 4)
        yield* channel.leave
        yield* eventually(Effect.map(openSessions, (count) => count === 0))
        yield* metered.pass(60)
        assert.deepStrictEqual(yield* metered.bill(customer), { requests: 0, streamTicks: 4, receipts: receipts(4, true) })
      }
    }).pipe(Effect.scoped, Effect.provide(world())),
  )

  it.effect("a stream whose account has nothing left says so and ends; the next one is refused before it begins", () =>
    Effect.gen(function* () {
      yield* playing
      const metered = yield* Metered
      for (const kind of kinds) {
        const customer = yield* metered.customer("scale", { requestsPerMonth: 3 })
        const channel = yield* open(kind, customer)
        yield* channel.receive("ready")
        yield* metered.pass(32)
        assert.strictEqual((yield* metered.bill(customer)).streamTicks, 3)
        yield* metered.pass(15)
        const code = yield* channel.ended
        assert.strictEqual(code, kind === "websocket" ? 3503 : undefined)
        const last = channel.messages.at(-1)
        assert.deepInclude(last, { type: "error", code: "RATE_LIMIT_EXCEEDED" })
        const { body, headers, status } = yield* refused(kind, { "x-api-key": customer.secret })
        assert.deepStrictEqual([status, body.error.code, body.error.details?.["limit"]], [429, "RATE_LIMIT_EXCEEDED", "requests_per_month"])
        assert.strictEqual(headers["retry-after"], String(body.error.details?.["retryAfterSeconds"]))
        yield* eventually(Effect.map(openSessions, (count) => count === 0))
        const { receipts, streamTicks } = yield* metered.bill(customer)
        assert.deepStrictEqual([streamTicks, receipts], [3, [{ channel: channelOf[kind], ticks: 3, closed: true }]])
      }
    }).pipe(Effect.scoped, Effect.provide(world())),
  )

  it.effect("many streams of one account share its month: what was charged is never above it, and the receipts sum to the bill", () =>
    Effect.gen(function* () {
      yield* playing
      const metered = yield* Metered
      const customer = yield* metered.customer("scale", { requestsPerMonth: 25 })
      const channels = yield* Effect.forEach(
        Array.from({ length: 9 }, (_, index) => kinds[index % kinds.length] ?? "sse"),
        (kind) => open(kind, customer),
        { concurrency: "unbounded" },
      )
      yield* metered.pass(16)
      yield* metered.pass(15)
      // 9 at the connects, 9 after 15 s, 7 of 9 after 30 s.
      yield* eventually(Effect.map(openSessions, (count) => count <= 7))
      yield* metered.pass(15)
      yield* Effect.forEach(channels, ({ ended }) => ended, { discard: true })
      yield* eventually(Effect.map(openSessions, (count) => count === 0))
      const { receipts, requests, streamTicks } = yield* metered.bill(customer)
      assert.deepStrictEqual([requests, streamTicks], [0, 25])
      assert.strictEqual(
        receipts.reduce((sum, { ticks }) => sum + ticks, 0),
        25,
      )
      assert.isTrue(receipts.length === 9 && receipts.every(({ closed }) => closed))
    }).pipe(Effect.scoped, Effect.provide(world())),
  )

  it.live("a revoked key's streams end within five seconds, those of others go on", () =>
    Effect.gen(function* () {
      yield* playing
      const metered = yield* Metered
      const [revoked, other] = [yield* metered.customer("scale"), yield* metered.customer("scale")]
      const channels = yield* Effect.forEach(kinds, (kind) => Effect.map(open(kind, revoked), (channel) => ({ kind, channel })))
      const staying = yield* Effect.forEach(kinds, (kind) => open(kind, other))
      const revokedAt = yield* Clock.currentTimeMillis
      yield* metered.revoke(revoked)
      for (const { channel, kind } of channels) {
        assert.strictEqual(yield* channel.ended, kind === "websocket" ? 3504 : undefined)
        assert.isBelow((yield* Clock.currentTimeMillis) - revokedAt, 5_000)
        assert.deepInclude(channel.messages.at(-1), { type: "error", code: "INVALID_API_KEY" })
        assert.strictEqual((yield* refused(kind, { "x-api-key": revoked.secret })).status, 401)
      }
      yield* eventually(Effect.map(openSessions, (count) => count === staying.length))
      assert.isTrue(staying.every(({ messages }) => messages.every(({ type }) => type !== "error" && type !== "reconnect")))
    }).pipe(Effect.scoped, Effect.provide(world())),
  )

  it.live("another plan sends streams away to come back under it; another quota does not", () =>
    Effect.gen(function* () {
      yield* playing
      const metered = yield* Metered
      const customer = yield* metered.customer("business", { addOns: ["live-websockets"] })
      const channels = yield* Effect.forEach(kinds, (kind) => Effect.map(open(kind, customer), (channel) => ({ kind, channel })))
      yield* metered.change(customer, "business", { addOns: ["live-websockets"], requestsPerMonth: 7_000_000 })
      yield* Effect.sleep("4 seconds")
      assert.strictEqual(yield* openSessions, kinds.length)
      yield* metered.change(customer, "starter", { game: "cs2" })
      for (const { channel, kind } of channels) {
        assert.strictEqual(yield* channel.ended, kind === "websocket" ? 3012 : undefined)
        assert.deepInclude(channel.messages.at(-1), { type: "reconnect", reason: "plan_changed" })
      }
      const { body, status } = yield* refused("websocket", { "x-api-key": customer.secret })
      assert.deepStrictEqual([status, body.error.code], [403, "PLAN_REQUIRED"])
      const back = yield* open("sse", customer)
      assert.deepInclude(yield* back.receive("ready"), { plan: "starter", delay_seconds: 60 })
    }).pipe(Effect.scoped, Effect.provide(world())),
  )
})

it.live("an add-on that is gone ends WebSockets and leaves server-sent events alone", () =>
  Effect.gen(function* () {
    yield* playing
    const metered = yield* Metered
    const customer = yield* metered.customer("pro", { addOns: ["live-websockets"] })
    const [socket, stream] = [yield* open("websocket", customer), yield* open("sse", customer)]
    yield* metered.change(customer, "pro")
    assert.strictEqual(yield* socket.ended, 3012)
    assert.isTrue(stream.messages.every(({ type }) => type !== "reconnect"))
    assert.strictEqual((yield* refused("websocket", { "x-api-key": customer.secret })).status, 403)
  }).pipe(Effect.scoped, Effect.provide(onMemory())),
)

it.effect("who is refused is told why, in the form he asked for, and pays nothing", () =>
  Effect.gen(function* () {
    yield* playing
    const metered = yield* Metered
    const otherGame = yield* metered.customer("starter", { game: "tennis" })
    const nothingLeft = yield* metered.customer("scale", { requestsPerMonth: 0 })
    const free = yield* metered.customer("free")
    for (const kind of kinds) {
      const expected: ReadonlyArray<readonly [Record<string, string>, number, string]> = [
        [{}, 401, "INVALID_API_KEY"],
        [{ "x-api-key": "mp_wrong" }, 401, "INVALID_API_KEY"],
        [{ "x-api-key": otherGame.secret }, 403, "GAME_NOT_INCLUDED"],
        [{ "x-api-key": nothingLeft.secret }, 429, "RATE_LIMIT_EXCEEDED"],
      ]
      for (const [headers, status, code] of expected) {
        const envelope = yield* refused(kind, headers)
        assert.deepStrictEqual([envelope.status, envelope.body.error.code], [status, code])
        assert.match(envelope.headers["content-type"] ?? "", /^application\/json/)
        const problem = yield* refused(kind, { ...headers, accept: "application/problem+json", "x-request-id": "mine-1" })
        assert.deepStrictEqual([problem.status, problem.body.code], [status, code])
        assert.strictEqual(problem.headers["content-type"], "application/problem+json")
        assert.strictEqual(problem.headers["x-request-id"], "mine-1")
        assert.strictEqual(problem.headers["retry-after"] === undefined, status !== 429)
      }
    }
    const { body, status } = yield* refused("websocket", { "x-api-key": free.secret })
    assert.deepStrictEqual([status, body.error.code], [403, "PLAN_REQUIRED"])
    assert.deepInclude(body.error.details, { feature: "live-websockets", plan: "free", addOnOf: ["pro", "business"] })
    for (const customer of [otherGame, nothingLeft, free]) {
      assert.deepStrictEqual(yield* metered.bill(customer), { requests: 0, streamTicks: 0, receipts: [] })
    }
    assert.strictEqual(yield* openSessions, 0)
  }).pipe(Effect.scoped, Effect.provide(onMemory())),
)

it.effect("a key has as many connections as its plan, whatever the channel; one that ends makes room", () =>
  Effect.gen(function* () {
    yield* playing
    const metered = yield* Metered
    const customer = yield* metered.customer("free", { addOns: ["live-websockets"] })
    const [first] = yield* Effect.forEach(["websocket", "sse", "sse", "websocket", "sse"] as const, (kind) => open(kind, customer))
    for (const kind of ["websocket", "sse"] as const) {
      const { body, headers, status } = yield* refused(kind, { "x-api-key": customer.secret })
      assert.deepStrictEqual([status, body.error.code, body.error.details?.["limit"]], [429, "TOO_MANY_CONNECTIONS", "connections"])
      assert.match(headers["retry-after"] ?? "", /^[0-9]+$/)
    }
    if (first !== undefined) yield* first.leave
    yield* eventually(Effect.map(openSessions, (count) => count === 4))
    yield* open("websocket", customer)
    assert.strictEqual((yield* metered.bill(customer)).streamTicks, 6)
  }).pipe(Effect.scoped, Effect.provide(onMemory())),
)

it.effect("a WebSocket takes its key from either header or the query", () =>
  Effect.gen(function* () {
    const metered = yield* Metered
    const { secret } = yield* metered.customer("scale")
    const address = `${metered.wsUrl}/cs2/live/ws`
    for (const [query, headers] of [
      ["", { "x-api-key": secret }],
      ["", { authorization: `Bearer ${secret}` }],
      [`?apiKey=${secret}`, {}],
    ] as const) {
      const tried = yield* tryChannel("websocket", address + query, headers)
      assert.strictEqual(tried._tag, "Open")
    }
    assert.strictEqual(yield* openSessions, 3)
  }).pipe(Effect.scoped, Effect.provide(onMemory())),
)
