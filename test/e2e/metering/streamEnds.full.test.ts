/** Ends that nobody may pay for, or lose a connection by: handshakes that come to nothing, a server that drains. And how far replays look back. */
import { connect } from "node:net"
import { assert, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { replayRoom } from "@matchpoint/contracts/stream/rooms"
import { LedgerError } from "@matchpoint/metering/Ledger"
import { Meter } from "@matchpoint/metering/Meter"
import { StreamMeter } from "@matchpoint/metering/StreamMeter"
import { OpenStreams } from "@matchpoint/service-gateway/stream/OpenStreams"
import { eventually } from "@matchpoint/testing/realTime"
import { Effect, Exit, Latch, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { vi } from "vitest"
import { WebSocket } from "ws"
import { addressOf, kinds, openChannel, refusedChannel } from "../../fixtures/metering/meteredChannels.ts"
import { id, playing } from "../../fixtures/metering/meteredMatch.ts"
import { bookOf, Metered, onEmbedded, onMemory } from "../../fixtures/metering/meteredStack.ts"
import { liveRecords, publish } from "../../fixtures/rpcStack.ts"

// Each test starts a database and a server of its own.
vi.setConfig({ testTimeout: 120_000 })

it.effect("a client that leaves while its connect is being charged pays nothing and leaves nothing open", () =>
  Effect.gen(function* () {
    const answers = Latch.makeUnsafe(true)
    yield* Effect.gen(function* () {
      yield* playing
      const metered = yield* Metered
      const open = yield* OpenStreams
      const sessions = yield* StreamMeter
      for (const kind of ["websocket", "sse"] as const) {
        // So few that each is asked for by itself.
        const customer = yield* metered.customer("free", { addOns: ["live-websockets"], requestsPerMonth: 8 })
        const address = addressOf(kind, metered, id)
        const opened = yield* openChannel(kind, address, { "x-api-key": customer.secret })
        yield* opened.leave
        yield* eventually(Effect.sync(() => sessions.openSessions() === 0))
        answers.closeUnsafe()
        const sockets = Array.from({ length: 5 }, () => knock(address, customer.secret))
        yield* eventually(Effect.sync(() => [...open.ofKey(customer.keyId)].length === sockets.length))
        for (const socket of sockets) socket.destroy()
        yield* eventually(Effect.sync(() => open.keys().length === 0))
        answers.openUnsafe()
        yield* metered.pass(3)
        assert.strictEqual(sessions.openSessions(), 0)
        const { receipts, streamTicks } = yield* metered.bill(customer)
        assert.deepStrictEqual([streamTicks, receipts.length], [1, 1])
        // What was taken for those who left serves the next; all five connections are free.
        yield* Effect.forEach(sockets, () => openChannel(kind, address, { "x-api-key": customer.secret })).pipe(Effect.scoped)
        assert.strictEqual((yield* metered.bill(customer)).streamTicks, 6)
      }
    }).pipe(Effect.scoped, Effect.provide(onMemory(bookOf(answers.await))))
  }),
)

it.effect("a stream whose usage cannot be metered any more says so and ends; clients may come back", () =>
  Effect.gen(function* () {
    let isDown = false
    const fault = Effect.suspend(() => (isDown ? Effect.fail(new LedgerError({ cause: new Error("gone") })) : Effect.void))
    yield* Effect.gen(function* () {
      yield* playing
      const metered = yield* Metered
      const sessions = yield* StreamMeter
      // A plan without grace.
      const customer = yield* metered.customer("free", { addOns: ["live-websockets"] })
      const headers = { "x-api-key": customer.secret }
      const channels = yield* Effect.forEach(["websocket", "sse"] as const, (kind) =>
        Effect.map(openChannel(kind, addressOf(kind, metered, id), headers), (channel) => ({ kind, channel })),
      )
      isDown = true
      yield* metered.pass(17)
      for (const { channel, kind } of channels) {
        assert.strictEqual(yield* channel.ended, kind === "websocket" ? 3011 : undefined)
        assert.deepInclude(channel.messages.at(-1), { type: "error", code: "SERVICE_UNAVAILABLE" })
        const { body, headers: answered, status } = yield* refusedChannel(kind, addressOf(kind, metered, id), headers)
        assert.deepStrictEqual([status, body.error.code], [503, "SERVICE_UNAVAILABLE"])
        assert.match(answered["retry-after"] ?? "", /^[0-9]+$/)
      }
      assert.strictEqual(sessions.openSessions(), 0)
      isDown = false
      yield* metered.pass(2)
      yield* openChannel("websocket", addressOf("websocket", metered, id), headers)
      assert.strictEqual((yield* metered.bill(customer)).streamTicks, 3)
    }).pipe(Effect.scoped, Effect.provide(onMemory(bookOf(fault))))
  }),
)

it.effect("from the good-bye on nothing is charged, and the receipts are closed in the ledger", () =>
  Effect.gen(function* () {
    const known = bookOf()
    const server = yield* Scope.make()
    const stack = yield* Layer.build(onMemory(known)).pipe(Scope.provide(server))
    const customer = yield* Effect.gen(function* () {
      yield* playing
      const metered = yield* Metered
      const customer = yield* metered.customer("scale")
      for (const kind of kinds) yield* openChannel(kind, addressOf(kind, metered, id), { "x-api-key": customer.secret })
      yield* metered.pass(16)
      assert.strictEqual((yield* metered.bill(customer)).streamTicks, 6)
      const open = yield* OpenStreams
      open.drain()
      yield* metered.pass(40)
      assert.strictEqual((yield* metered.bill(customer)).streamTicks, 6)
      return customer
    }).pipe(Effect.provideContext(stack))
    yield* Scope.close(server, Exit.void)
    const { receipts, streamTicks } = yield* known.read(customer.accountId)
    assert.strictEqual(streamTicks, 6)
    assert.deepStrictEqual(
      receipts.map(({ closed, ticks }) => [closed, ticks]),
      kinds.map(() => [true, 2]),
    )
  }).pipe(Effect.scoped),
)

it.effect("a server that stops closes the receipts of its streams in the database", () =>
  Effect.gen(function* () {
    yield* playing
    const metered = yield* Metered
    const meter = yield* Meter
    const open = yield* OpenStreams
    const customer = yield* metered.customer("scale")
    for (const kind of kinds) yield* openChannel(kind, addressOf(kind, metered, id), { "x-api-key": customer.secret })
    open.drain()
    yield* meter.flush(customer.accountId)
    const { receipts } = yield* metered.bill(customer)
    assert.deepStrictEqual(
      receipts.map(({ closed, ticks }) => [closed, ticks]),
      kinds.map(() => [true, 1]),
    )
  }).pipe(Effect.scoped, Effect.provide(onEmbedded)),
)

it.effect("a replay of a match older than the plan looks back is refused, on both channels, and costs nothing", () =>
  Effect.gen(function* () {
    // An operator who keeps LIVE for longer than any plan looks back.
    const unlimited = streams.map(({ maxBytes, name, subjects }) => ({ maxBytes, name, subjects }))
    const log = yield* Layer.build(EventLogMemory.layer({ streams: unlimited }))
    yield* publish(id, liveRecords(61, id).slice(0, 20)).pipe(Effect.provideContext(log))
    yield* TestClock.adjust("40 days")
    yield* Effect.gen(function* () {
      const metered = yield* Metered
      const [free, starter] = [
        yield* metered.customer("free", { addOns: ["live-websockets"] }),
        yield* metered.customer("starter", { addOns: ["live-websockets"] }),
      ]
      const address = addressOf("replay", metered, id)
      const { body, status } = yield* refusedChannel("replay", address, { "x-api-key": free.secret })
      assert.deepStrictEqual([status, body.error.code], [403, "HISTORY_LIMIT"])
      assert.deepInclude(body.error.details, { plan: "free", historyDays: 30, needs: "starter" })
      assert.strictEqual((yield* metered.bill(free)).streamTicks, 0)
      const played = yield* openChannel("replay", address, { "x-api-key": starter.secret })
      yield* played.receive("cs2.live.update")
      for (const [{ secret }, type] of [
        [free, "error"],
        [starter, "subscribed"],
      ] as const) {
        const socket = yield* openChannel("websocket", addressOf("websocket", metered, id), { "x-api-key": secret })
        yield* socket.receive("ready")
        const said = yield* answerTo(addressOf("websocket", metered, id), secret, { action: "subscribe", rooms: [replayRoom(id)] })
        assert.strictEqual(said.type, type)
        if (type === "error") assert.strictEqual(said.code, "HISTORY_LIMIT")
      }
    }).pipe(Effect.scoped, Effect.provide(onMemory(bookOf(), Layer.succeedContext(log))))
  }).pipe(Effect.scoped),
)

/** The first answer after `ready`. */
const answerTo = (address: string, secret: string, message: unknown) =>
  Effect.callback<{ readonly type: string; readonly code?: string }>((resume) => {
    const socket = new WebSocket(address, { headers: { "x-api-key": secret } })
    socket.on("message", (data) => {
      const said: { readonly type: string } = JSON.parse(String(data))
      if (said.type === "ready") socket.send(JSON.stringify(message))
      else resume(Effect.succeed(said))
    })
    return Effect.sync(() => socket.terminate())
  })

/** A client that asks and then only waits. */
const knock = (address: string, secret: string) => {
  const { hostname, pathname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on("error", () => {})
  const upgrade = address.startsWith("ws")
    ? ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"]
    : []
  socket.write([`GET ${pathname} HTTP/1.1`, `Host: ${hostname}`, `x-api-key: ${secret}`, ...upgrade, "", ""].join("\r\n"))
  return socket
}
