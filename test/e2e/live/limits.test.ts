/**
 * Tests limits of clients: connections, rooms, handshakes and messages. A client over a limit does not affect others.
 */
import { assert, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { ALL, matchRoom } from "@matchpoint/contracts/stream/rooms"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { Plan } from "@matchpoint/domain/plans"
import { Effect, Layer, Schedule } from "effect"
import { ConnectFailed } from "../../fixtures/clients/followers.ts"
import { Ear, isType, openSocket, openStream, type SocketKind } from "../../fixtures/clients/liveClients.ts"
import { liveRecords } from "../../fixtures/clients/liveRecords.ts"
import { EdgeUnderTest, keyOf, play } from "../../fixtures/edge.ts"

const ids = Array.from({ length: 25 }, (_, index) => matchId(7_401 + index))
const [one = matchId(7_401)] = ids
const records = liveRecords(85, one, 300)
/** Number of frames of `one` in the log. */
let played = 10
const Played = Layer.effectDiscard(
  Effect.gen(function* () {
    for (const id of ids.slice(1)) yield* play(liveRecords(86, id, 3))
    yield* play(records.slice(0, 10))
  }),
)
/** An edge without a delay: the Free plan receives matches at once. */
const edgeLayer = (settings = {}) =>
  EdgeUnderTest.layer({ settings: { delaySeconds: 0, ...settings } }).pipe(
    Layer.provide(Played),
    Layer.provideMerge(EventLogMemory.layer({ streams })),
  )

const socketUrl = (plan: Plan, name = "") => Effect.map(EdgeUnderTest, ({ wsUrl }) => `${wsUrl}/cs2/live/ws?apiKey=${keyOf(plan, name)}`)
const streamUrl = (plan: Plan, name = "") => Effect.map(EdgeUnderTest, ({ url }) => `${url}/cs2/live/stream?apiKey=${keyOf(plan, name)}`)

const connect = Effect.fnUntraced(function* (plan: Plan, name = "", kind: SocketKind = "ws") {
  const ear = new Ear()
  const client = yield* openSocket(kind, yield* socketUrl(plan, name), ear)
  yield* ear.until(isType("ready"))
  return client
})

/** Sends a plain request to a live channel. Returns the status, `Retry-After` and the body. */
const requestChannel = Effect.fnUntraced(function* (url: string) {
  return yield* Effect.promise(async () => {
    const controller = new AbortController()
    const response = await fetch(url, { signal: controller.signal })
    const body: unknown = response.status === 200 ? undefined : await response.json()
    controller.abort()
    return { status: response.status, retryAfter: response.headers.get("retry-after"), body }
  })
})

const isAlive = Effect.fnUntraced(function* (client: { readonly ear: Ear; readonly send: (message: unknown) => void }) {
  const before = client.ear.messages.length
  client.send({ action: "ping" })
  yield* client.ear.until(isType("pong"), before)
})

it.layer(edgeLayer(), { timeout: "30 seconds", excludeTestServices: true })("limits of a plan", (it) => {
  it.effect("Free: allows five connections per key, WebSockets and streams together; a closed connection frees its place", () =>
    Effect.gen(function* () {
      const sockets = yield* Effect.forEach(["ws", "undici", "ws"] as const, (kind) => connect("free", "", kind))
      yield* openStream("eventsource", yield* streamUrl("free")).pipe(Effect.flatMap(({ ear }) => ear.until(isType("ready"))))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { ear } = yield* openStream("undici", `${yield* streamUrl("free")}&matchId=${one}`)
          yield* ear.until(isType("ready"))
          const refused = yield* requestChannel(yield* streamUrl("free"))
          assert.strictEqual(refused.status, 429)
          assert.match(refused.retryAfter ?? "", /^[1-9]\d*$/)
          assert.nestedPropertyVal(refused.body, "error.code", "TOO_MANY_CONNECTIONS")
          assert.match((yield* Effect.flip(connect("free"))).reason, /429/)
          // Another key of the same plan has its own limit.
          yield* isAlive(yield* connect("free", "other"))
        }),
      )
      // The server notices the end of the stream a moment later.
      const again = yield* connect("free").pipe(Effect.retry(Schedule.spaced("20 millis")), Effect.timeout("5 seconds"))
      assert.instanceOf(yield* Effect.flip(connect("free")), ConnectFailed)
      sockets[0]?.cut()
      yield* connect("free").pipe(Effect.retry(Schedule.spaced("20 millis")), Effect.timeout("5 seconds"))
      yield* isAlive(again)
    }),
  )

  it.effect("Free: allows twenty rooms per connection, rejects each further room by name, and frees the place of a room that is left", () =>
    Effect.gen(function* () {
      const client = yield* connect("free", "rooms")
      const rooms = ids.map(matchRoom)
      client.send({ action: "subscribe", rooms })
      const { rooms: added } = yield* client.ear.until(isType("subscribed"))
      assert.deepStrictEqual(added, rooms.slice(0, 20))
      yield* isAlive(client)
      const errors = client.ear.messages.filter(isType("error"))
      assert.deepStrictEqual(
        errors.map(({ code, room }) => [code, room]),
        rooms.slice(20).map((room) => ["TOO_MANY_ROOMS", room]),
      )
      const before = client.ear.messages.length
      client.send({ action: "unsubscribe", rooms: rooms.slice(0, 1) })
      client.send({ action: "subscribe", rooms: rooms.slice(24) })
      assert.deepStrictEqual((yield* client.ear.until(isType("subscribed"), before)).rooms, rooms.slice(24))
    }),
  )

  const ping = JSON.stringify({ action: "ping" })
  const subscribe = JSON.stringify({ action: "subscribe", rooms: [ALL] })
  const floods: ReadonlyArray<readonly [what: string, code: number, count: number, message: string | Uint8Array<ArrayBuffer>]> = [
    ["messages", 3502, 400, ping],
    ["subscriptions", 3502, 400, subscribe],
    ["nonsense", 3501, 50, "nonsense"],
    ["bytes", 3501, 50, new Uint8Array(100)],
    ["deep JSON", 3501, 50, "[".repeat(8_000)],
  ]
  for (const kind of ["ws", "undici"] as const) {
    for (const [what, code, count, message] of floods) {
      it.effect(`${kind}: closes with ${code} a client that floods ${what} and leaves others undisturbed`, () =>
        Effect.gen(function* () {
          const bystander = yield* connect("pro", "bystander")
          bystander.send({ action: "subscribe", rooms: [matchRoom(one)] })
          yield* bystander.ear.until(isType("caught_up"))
          const flooder = yield* connect("pro", "flooder", kind)
          for (let sent = 0; sent < count; sent++) flooder.raw(message)
          assert.strictEqual((yield* flooder.closed).code, code)
          yield* play(records.slice(played, played + 5))
          played += 5
          yield* bystander.ear.reaches(one, played)
          assert.deepStrictEqual(bystander.ear.transcript.problems, [])
        }),
      )
    }

    it.effect(`${kind}: closes only the connection that sent an oversized message`, () =>
      Effect.gen(function* () {
        const bystander = yield* connect("pro", "bystander")
        const sender = yield* connect("pro", "sender", kind)
        sender.raw("x".repeat(20_000))
        assert.strictEqual((yield* sender.closed).code, 1009)
        yield* isAlive(bystander)
      }),
    )
  }
})

it.layer(edgeLayer({ handshakesPerSecond: 1 }), { timeout: "30 seconds", excludeTestServices: true })("limits of an address", (it) => {
  it.effect("rejects too many handshakes with a time to wait, whatever their keys, and keeps open connections", () =>
    Effect.gen(function* () {
      const bystander = yield* connect("pro")
      const outcomes = yield* Effect.forEach(
        ids.concat(ids.slice(0, 5)),
        (_, n) => Effect.flatMap(streamUrl("pro", String(n % 7)), requestChannel),
        { concurrency: 8 },
      )
      const refused = outcomes.filter(({ status }) => status === 429)
      assert.isAtLeast(refused.length, 5)
      assert.isAtLeast(outcomes.length - refused.length, 15, "a burst is allowed")
      for (const { body, retryAfter } of refused) {
        assert.match(retryAfter ?? "", /^[1-9]\d*$/)
        assert.nestedPropertyVal(body, "error.code", "TOO_MANY_HANDSHAKES")
      }
      // The limit also applies to clients that guess keys.
      assert.strictEqual((yield* requestChannel((yield* streamUrl("pro")).replace("mp_pro", "guess"))).status, 429)
      yield* isAlive(bystander)
    }),
  )
})
