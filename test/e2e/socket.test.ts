/** Tests the live channels with independent clients: keys, rooms, and any input of an unknown client. */
import { connect } from "node:net"
import { assert, it } from "@effect/vitest"
import type { StreamError } from "@matchpoint/contracts/stream/messages"
import { matchRoom } from "@matchpoint/contracts/stream/rooms"
import { UPDATE } from "@matchpoint/cs2/contract/frames"
import type { ServerMessage } from "@matchpoint/cs2/contract/serverMessages"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { Effect, Layer, Schedule } from "effect"
import { followSocket, followStream } from "../fixtures/clients/followers.ts"
import { simulatedEvents } from "../fixtures/simulated.ts"
import { announce, feed, KEY, memoryStack, Stack } from "../fixtures/stack.ts"

const ids = [matchId(5_001), matchId(5_002)] as const
const matches = ids.map((id, index) => simulatedEvents(51 + index, id))

const Playing = Layer.effectDiscard(
  Effect.gen(function* () {
    const { url } = yield* Stack
    for (const [index, id] of ids.entries()) {
      yield* announce(id)
      yield* feed(matches[index]?.slice(0, 100) ?? [])
    }
    yield* Effect.promise(() => fetch(`${url}/cs2/live`, { headers: { "x-api-key": KEY } }).then((response) => response.json())).pipe(
      Effect.filterOrFail((body) => body.meta.total === ids.length),
      Effect.retry(Schedule.spaced("20 millis")),
      Effect.timeout("20 seconds"),
    )
  }),
)

const isError = (message: ServerMessage): message is StreamError => message.type === "error"
const isSubscribed = (message: ServerMessage): message is ServerMessage & { type: "subscribed" } => message.type === "subscribed"

const follow = (headers: Record<string, string> = { "x-api-key": KEY }, query = "") =>
  Effect.gen(function* () {
    const { wsUrl } = yield* Stack
    return yield* followSocket(`${wsUrl}/cs2/live/ws${query}`, headers)
  })

/** Number of facts fed per match. Each test feeds further facts. */
let fed = 100
const feedMore = (count: number) =>
  Effect.suspend(() => {
    const from = fed
    fed += count
    return Effect.forEach(matches, (events) => feed(events.slice(from, from + count)), { discard: true })
  })

it.layer(Layer.provideMerge(Playing, memoryStack), { timeout: 60_000, excludeTestServices: true })("WebSocket", (it) => {
  it.effect("accepts the key in either header or in the query, and refuses other keys with 401", () =>
    Effect.gen(function* () {
      for (const attempt of [follow(), follow({ authorization: `Bearer ${KEY}` }), follow({}, `?apiKey=${KEY}`)]) {
        const follower = yield* attempt
        const ready = yield* follower.until((message): message is ServerMessage & { type: "ready" } => message.type === "ready")
        assert.deepStrictEqual([ready.plan, ready.delay_seconds], ["pro", 0])
        assert.strictEqual(follower.messages[0]?.type, "ready")
      }
      for (const attempt of [follow({}), follow({ "x-api-key": "mp_wrong" }), follow({}, "?apiKey=mp_wrong")]) {
        const { reason } = yield* Effect.flip(attempt)
        assert.strictEqual(reason, "HTTP 401")
      }
      const { url } = yield* Stack
      const plain = yield* Effect.promise(() => fetch(`${url}/cs2/live/ws`, { headers: { "x-api-key": KEY } }))
      assert.strictEqual(plain.status, 426)
    }),
  )

  it.effect("answers a subscription with a snapshot, then with consecutive updates", () =>
    Effect.gen(function* () {
      const follower = yield* follow()
      follower.send({ action: "subscribe", rooms: [matchRoom(ids[0])] })
      yield* follower.until(isSubscribed)
      yield* feedMore(10)
      yield* follower.until((message): message is ServerMessage & { type: typeof UPDATE } => message.type === UPDATE && message.seq >= fed)
      const frames = follower.messages.flatMap((message) =>
        message.type === UPDATE || message.type === "cs2.live.snapshot" ? [message] : [],
      )
      assert.strictEqual(frames[0]?.type, "cs2.live.snapshot")
      assert.isTrue(frames.every((frame) => frame.matchId === ids[0]))
      assert.deepStrictEqual(
        frames.map((frame) => frame.seq),
        frames.map((_, index) => (frames[0]?.seq ?? 0) + index),
      )
    }),
  )

  it.effect("follows the match of ?matchId at once", () =>
    Effect.gen(function* () {
      const follower = yield* follow({ "x-api-key": KEY }, `?matchId=${ids[1]}`)
      const snapshot = yield* follower.until(
        (message): message is ServerMessage & { type: "cs2.live.snapshot" } => message.type === "cs2.live.snapshot",
      )
      assert.strictEqual(snapshot.matchId, ids[1])
    }),
  )

  it.effect("sends each frame once if `all` and a match are subscribed, and nothing after the client unsubscribes", () =>
    Effect.gen(function* () {
      const follower = yield* follow()
      follower.send({ action: "subscribe", rooms: [matchRoom(ids[0]), "all", matchRoom(ids[1])] })
      yield* follower.until(isSubscribed)
      yield* feedMore(10)
      const reached =
        (seq: number, id: string) =>
        (message: ServerMessage): message is ServerMessage & { type: typeof UPDATE } =>
          message.type === UPDATE && message.matchId === id && message.seq >= seq
      for (const id of ids) yield* follower.until(reached(fed, id))
      for (const id of ids) {
        const seqs = follower.messages.flatMap((message) => ("seq" in message && message.matchId === id ? [message.seq] : []))
        assert.strictEqual(new Set(seqs).size, seqs.length)
      }
      follower.send({ action: "unsubscribe", rooms: ["all"] })
      yield* follower.until((message): message is ServerMessage & { type: "unsubscribed" } => message.type === "unsubscribed")
      // The single matches were subscribed by name and remain.
      yield* feedMore(5)
      yield* follower.until(reached(fed, ids[0]))
      follower.send({ action: "unsubscribe", rooms: ids.map(matchRoom) })
      follower.send({ action: "ping" })
      yield* follower.until((message): message is ServerMessage & { type: "pong" } => message.type === "pong")
      const count = follower.messages.length
      yield* feedMore(5)
      follower.send({ action: "subscribe", rooms: ["nonsense"] })
      yield* follower.until(isError)
      assert.strictEqual(follower.messages.length, count + 1)
    }),
  )

  const badMessages: ReadonlyArray<readonly [string, string | Uint8Array, string]> = [
    ["no JSON", "{", "MALFORMED_MESSAGE"],
    ["an unknown action", '{"action":"dance"}', "MALFORMED_MESSAGE"],
    ["no rooms", '{"action":"subscribe","rooms":[]}', "MALFORMED_MESSAGE"],
    ["too many rooms", JSON.stringify({ action: "subscribe", rooms: Array(101).fill("all") }), "MALFORMED_MESSAGE"],
    ["an invalid room", '{"action":"subscribe","rooms":["match:; DROP"]}', "UNKNOWN_ROOM"],
    ["a match that is not live", '{"action":"subscribe","rooms":["match:cs2-match-77"]}', "MATCH_NOT_FOUND"],
    ["bytes", new Uint8Array([1, 2, 3]), "BINARY_NOT_SUPPORTED"],
  ]
  for (const [what, message, code] of badMessages) {
    it.effect(`${what} is answered with ${code} and the socket stays open`, () =>
      Effect.gen(function* () {
        const follower = yield* follow()
        follower.raw(message)
        assert.strictEqual((yield* follower.until(isError)).code, code)
        follower.send({ action: "ping" })
        yield* follower.until((answer): answer is ServerMessage & { type: "pong" } => answer.type === "pong")
      }),
    )
  }

  it.effect("closes only the connection that floods invalid messages", () =>
    Effect.gen(function* () {
      const bystander = yield* follow()
      const flooder = yield* follow()
      for (let n = 0; n < 50; n += 1) flooder.raw("nonsense")
      assert.strictEqual((yield* flooder.closed).code, 3501)
      bystander.send({ action: "ping" })
      yield* bystander.until((message): message is ServerMessage & { type: "pong" } => message.type === "pong")
    }),
  )

  it.effect("closes only the connections with an oversized message or an invalid frame, and tolerates a half-open socket", () =>
    Effect.gen(function* () {
      const bystander = yield* follow()
      const oversized = yield* follow()
      oversized.raw("x".repeat(20_000))
      const { code } = yield* oversized.closed
      assert.strictEqual(code, 1009)
      const { wsUrl } = yield* Stack
      const { hostname, port, pathname } = new URL(`${wsUrl}/cs2/live/ws`)
      const request = `GET ${pathname}?apiKey=${KEY} HTTP/1.1\r\nHost: ${hostname}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`
      // A reserved opcode, a reserved bit, a control frame that is too long, a fragmented control frame, text that is
      // not UTF-8.
      const frames = [
        [0x83, 0x80, 0, 0, 0, 0],
        [0xf1, 0x80, 0, 0, 0, 0],
        [0x89, 0xfe, 0x01, 0x00, 0, 0, 0, 0],
        [0x09, 0x80, 0, 0, 0, 0],
        [0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe],
      ]
      for (const frame of frames) {
        yield* Effect.callback<void>((resume) => {
          const socket = connect({ host: hostname, port: Number(port) })
          let upgraded = false
          socket.on("data", () => {
            if (!upgraded) socket.write(Uint8Array.from(frame))
            upgraded = true
          })
          socket.on("error", () => {})
          socket.on("close", () => resume(Effect.void))
          socket.write(request)
        })
      }
      const halfOpen = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const socket = connect({ host: hostname, port: Number(port) })
          socket.on("error", () => {})
          socket.write(request.slice(0, 60))
          return socket
        }),
        (socket) => Effect.sync(() => socket.destroy()),
      )
      bystander.send({ action: "ping" })
      yield* bystander.until((message): message is ServerMessage & { type: "pong" } => message.type === "pong")
      assert.isFalse(halfOpen.destroyed)
    }),
  )

  it.effect("SSE refuses unknown keys and unknown matches before the stream begins", () =>
    Effect.gen(function* () {
      const { url } = yield* Stack
      const open = (path: string, key: string) =>
        Effect.promise(async () => {
          const response = await fetch(url + path, { headers: { "x-api-key": key, accept: "text/event-stream" } })
          const body: { readonly error: { readonly code: string } } = await response.json()
          return [response.status, body.error.code]
        })
      assert.deepStrictEqual(yield* open("/cs2/live/stream", "mp_wrong"), [401, "INVALID_API_KEY"])
      assert.deepStrictEqual(yield* open("/cs2/live/stream?matchId=cs2-match-77", KEY), [404, "MATCH_NOT_FOUND"])
      assert.deepStrictEqual(yield* open("/cs2/live/stream?matchId=%00", KEY), [404, "MATCH_NOT_FOUND"])
    }),
  )

  it.effect("SSE begins with ready and the newest frame, and sends the cursor as id", () =>
    Effect.gen(function* () {
      const { url } = yield* Stack
      const stream = yield* followStream(`${url}/cs2/live/stream?matchId=${ids[0]}`, KEY)
      yield* stream.until((event) => event.event === UPDATE)
      assert.deepStrictEqual(
        stream.events.slice(0, 2).map((event) => event.event),
        ["ready", UPDATE],
      )
      assert.include(stream.events[0]?.data, '"delay_seconds":0')
      yield* feedMore(3)
      const last = yield* stream.until((event) => event.id.startsWith(`${ids[0]}:1:${fed}:`))
      const frame: { readonly seq: number } = JSON.parse(last.data)
      assert.strictEqual(frame.seq, fed)
    }),
  )
})
