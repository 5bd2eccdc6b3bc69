/** Tests what other services pay for calls and streams over RPC, on both transports, and the errors at their limits. */
import { assert, it } from "@effect/vitest"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import { StreamMeter } from "@matchpoint/metering/StreamMeter"
import { eventually, inRealTime } from "@matchpoint/testing/realTime"
import { Cause, Clock, Effect, Exit, Fiber, type Layer, Result, Stream } from "effect"
import { describe, vi } from "vitest"
import { followSocket } from "../../fixtures/clients/followers.ts"
import { id, playing } from "../../fixtures/metering/meteredMatch.ts"
import { Metered, onEmbedded, onMemory, type TestCustomer } from "../../fixtures/metering/meteredStack.ts"
import { RpcHost, rpcClient, type Transport } from "../../fixtures/rpcStack.ts"

// Each test starts its own database and server.
vi.setConfig({ testTimeout: 120_000 })

const otherId = matchId(6_002)

/** Runs the client's pings in real time. */
const clientOf = (transport: Transport, { secret }: TestCustomer) =>
  Effect.flatMap(Metered, ({ host }) => inRealTime(Effect.provideService(rpcClient(transport, { "x-api-key": secret }), RpcHost, host)))

const openSessions = Effect.map(StreamMeter, (streams) => streams.openSessions())

const errorOf = <A, E>(exit: Exit.Exit<A, E>) =>
  Exit.isSuccess(exit) ? undefined : Result.getOrUndefined(Result.map(Cause.findError(exit.cause), (error) => error))

const ledgers: ReadonlyArray<readonly [string, () => Layer.Layer<Layer.Success<ReturnType<typeof onMemory>>>]> = [
  ["memory", () => onMemory()],
  ["PGlite", () => onEmbedded],
]

describe.each(ledgers)("on the ledger of %s", (_, server) => {
  describe.each<Transport>(["websocket", "http"])("over %s", (transport) => {
    it.effect("charges one request for a successful call, and ends calls with a typed error when the month is used up", () =>
      Effect.gen(function* () {
        yield* playing
        const metered = yield* Metered
        const customer = yield* metered.customer("scale", { requestsPerMonth: 3 })
        const client = yield* clientOf(transport, customer)
        assert.lengthOf(yield* client.ListLive({ game: CS2 }), 1)
        assert.strictEqual((yield* client.GetState({ matchId: id })).match.matchId, id)
        const unknown = yield* Effect.flip(client.GetState({ matchId: otherId }))
        assert.strictEqual(unknown._tag, "UnknownMatch")
        assert.strictEqual((yield* metered.bill(customer)).requests, 2)
        yield* client.ListLive({ game: CS2 })
        const refused = yield* Effect.flip(client.ListLive({ game: CS2 }))
        assert.strictEqual(refused._tag, "LimitReached")
        if (refused._tag === "LimitReached") {
          assert.strictEqual(refused.limit, "requests_per_month")
          assert.isAbove(refused.retryAfterSeconds, 0)
        }
        const stream = yield* Effect.flip(Stream.runDrain(client.Follow({ matchId: id })))
        assert.strictEqual(stream._tag, "LimitReached")
        assert.deepStrictEqual(yield* metered.bill(customer), { requests: 3, streamTicks: 0, receipts: [] })
      }).pipe(Effect.scoped, Effect.provide(server())),
    )

    it.effect(
      "charges one at the start of a stream and one per fifteen seconds, and ends it with a typed error when the month is used up",
      () =>
        Effect.gen(function* () {
          yield* playing
          const metered = yield* Metered
          const customer = yield* metered.customer("scale", { requestsPerMonth: 3 })
          const client = yield* clientOf(transport, customer)
          const unknown = yield* Effect.flip(Stream.runDrain(client.Follow({ matchId: otherId })))
          assert.strictEqual(unknown._tag, "UnknownMatch")
          const following = yield* Effect.forkChild(Effect.exit(Stream.runDrain(client.FollowDeltas({ matchId: id }))))
          yield* eventually(Effect.map(openSessions, (count) => count === 1))
          assert.strictEqual((yield* metered.bill(customer)).streamTicks, 1)
          yield* metered.pass(31)
          assert.strictEqual((yield* metered.bill(customer)).streamTicks, 3)
          yield* metered.pass(15)
          const error = errorOf(yield* Fiber.join(following))
          assert.deepInclude(error, { _tag: "LimitReached", limit: "requests_per_month" })
          yield* eventually(Effect.map(openSessions, (count) => count === 0))
          const { receipts, streamTicks } = yield* metered.bill(customer)
          assert.deepStrictEqual([streamTicks, receipts], [3, [{ channel: "rpc", ticks: 3, closed: true }]])
        }).pipe(Effect.scoped, Effect.provide(server())),
    )
  })
})

describe.each<Transport>(["websocket", "http"])("over %s", (transport) => {
  it.live("ends the streams of a revoked key within five seconds", () =>
    Effect.gen(function* () {
      yield* playing
      const metered = yield* Metered
      const customer = yield* metered.customer("scale")
      const client = yield* clientOf(transport, customer)
      const following = yield* Effect.forkChild(Effect.exit(Stream.runDrain(client.Follow({ matchId: id }))))
      yield* eventually(Effect.map(openSessions, (count) => count === 1))
      const revokedAt = yield* Clock.currentTimeMillis
      yield* metered.revoke(customer)
      const exit = yield* Fiber.join(following)
      assert.isTrue(Exit.isFailure(exit))
      assert.isBelow((yield* Clock.currentTimeMillis) - revokedAt, 5_000)
      // Over a WebSocket the connection ends as well. The caller sees whichever error comes first.
      if (transport === "http") assert.deepInclude(errorOf(exit), { _tag: "CallerUnknown" })
      yield* eventually(Effect.map(openSessions, (count) => count === 0))
    }).pipe(Effect.scoped, Effect.provide(onMemory())),
  )

  it.effect("asks a key that calls too fast to wait", () =>
    Effect.gen(function* () {
      const metered = yield* Metered
      const customer = yield* metered.customer("scale", { requestsPerSecond: 1 })
      const client = yield* clientOf(transport, customer)
      yield* client.ListLive({ game: CS2 })
      yield* client.ListLive({ game: CS2 })
      assert.deepInclude(yield* Effect.flip(client.ListLive({ game: CS2 })), {
        _tag: "LimitReached",
        limit: "requests_per_second",
        retryAfterSeconds: 1,
      })
      assert.strictEqual((yield* metered.bill(customer)).requests, 2)
      yield* metered.pass(1)
      yield* client.ListLive({ game: CS2 })
    }).pipe(Effect.scoped, Effect.provide(onMemory())),
  )
})

it.effect("limits calls to the plan's game and counts streams over HTTP as connections of the key", () =>
  Effect.gen(function* () {
    yield* playing
    yield* Effect.flatMap(Metered, ({ pass }) => pass(62))
    const metered = yield* Metered
    const tennis = yield* clientOf("http", yield* metered.customer("starter", { game: "tennis" }))
    assert.deepInclude(yield* Effect.flip(tennis.ListLive({ game: CS2 })), { _tag: "NotEntitled", code: "GAME_NOT_INCLUDED" })
    assert.deepInclude(yield* Effect.flip(Stream.runDrain(tennis.Follow({ matchId: id }))), { _tag: "NotEntitled" })
    const free = yield* metered.customer("free")
    const client = yield* clientOf("http", free)
    for (let open = 1; open <= 5; open++) {
      yield* Effect.forkChild(Stream.runDrain(client.Follow({ matchId: id })))
      yield* eventually(Effect.map(openSessions, (count) => count === open))
    }
    assert.deepInclude(yield* Effect.flip(Stream.runDrain(client.Follow({ matchId: id }))), { _tag: "LimitReached", limit: "connections" })
    assert.strictEqual((yield* metered.bill(free)).streamTicks, 5)
  }).pipe(Effect.scoped, Effect.provide(onMemory())),
)

it.live("opens a WebSocket only for a plan with WebSockets", () =>
  Effect.gen(function* () {
    const metered = yield* Metered
    const url = `ws://${metered.host}/rpc/ws`
    const { secret } = yield* metered.customer("pro")
    const headers = { "x-api-key": secret }
    assert.strictEqual((yield* Effect.flip(followSocket(url, headers))).reason, "HTTP 403")
    const { secret: other } = yield* metered.customer("pro", { addOns: ["live-websockets"] })
    const socket = yield* followSocket(url, { "x-api-key": other })
    socket.raw("")
    assert.strictEqual(yield* openSessions, 0)
  }).pipe(Effect.scoped, Effect.provide(onMemory())),
)

it.effect("charges the calls of one body one by one and answers the rest with the first refusal", () =>
  Effect.gen(function* () {
    yield* playing
    const { bill, customer: customerWith, host } = yield* Metered
    const call = (index: number, tag: string, payload: unknown) =>
      JSON.stringify({ _tag: "Request", id: String(index), tag, payload, headers: [] })
    const post = ({ secret }: TestCustomer, calls: ReadonlyArray<string>) =>
      inRealTime(
        Effect.promise(async () => {
          const body = `${calls.join("\n")}\n`
          const response = await fetch(`http://${host}/rpc`, { method: "POST", headers: { "x-api-key": secret }, body })
          const lines = (await response.text()).trim().split("\n")
          const answers = lines.map((line): { requestId: string; exit: { _tag: string } } => JSON.parse(line))
          return answers.sort((one, other) => Number(one.requestId) - Number(other.requestId)).map(({ exit }) => exit)
        }),
      )
    const lists = (count: number) => Array.from({ length: count }, (_, index) => call(index, "ListLive", { game: CS2 }))

    const poor = yield* customerWith("scale", { requestsPerMonth: 3 })
    const answered = yield* post(poor, lists(10))
    assert.strictEqual(answered.filter(({ _tag }) => _tag === "Success").length, 3)
    assert.strictEqual(answered.filter((exit) => JSON.stringify(exit).includes("requests_per_month")).length, 7)
    assert.strictEqual((yield* bill(poor)).requests, 3)

    // A call after a refusal is not handled, although it would have succeeded alone.
    const tennis = yield* customerWith("starter", { game: "tennis" })
    const list = call(1, "ListLive", null)
    assert.deepStrictEqual(
      (yield* post(tennis, [list])).map(({ _tag }) => _tag),
      ["Success"],
    )
    const refused = yield* post(tennis, [call(0, "ListLive", { game: CS2 }), list])
    for (const exit of refused) assert.include(JSON.stringify(exit), "GAME_NOT_INCLUDED")
    assert.lengthOf(refused, 2)
  }).pipe(Effect.scoped, Effect.provide(onMemory())),
)
