import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SendResult, WebSocketConnection } from "../src/WebSocketConnection.ts"
import { awhile, eventually } from "./eventually.ts"
import { admitAll, Client, serving } from "./webSocketTesting.ts"

describe("slow readers of a WebSocketRoute", () => {
  const flooding = Effect.gen(function* () {
    const results: Array<SendResult> = []
    const drops: Array<number> = []
    const drains: Array<number> = []
    const closes: Array<number> = []
    let connection: WebSocketConnection<string> | undefined
    const { server, url } = yield* serving("/ws", {
      upgrade: admitAll,
      open: (one) => {
        connection = one
        one.subscribe("all")
      },
      dropped: (one) => drops.push(one.id),
      drain: (one) => drains.push(one.bufferedBytes()),
      close: (_one, code) => closes.push(code),
      limits: { maxBackpressureBytes: 100_000 },
    })
    const client = yield* Client.connect(`${url}/ws`)
    if (connection === undefined) return yield* Effect.die("not open")
    client.socket.pause()
    const chunk = new Uint8Array(50_000)
    while (results.at(-1) !== "dropped") results.push(connection.send(chunk, true))
    return { server, url, client, connection, results, drops, drains, closes, chunk }
  })

  it.effect("are visible in the result of send, stay within the limit, and drain", () =>
    Effect.gen(function* () {
      const { server, client, connection, results, drops, drains, chunk } = yield* flooding
      assert.deepStrictEqual([...new Set(results)], ["sent", "buffered", "dropped"])
      assert.isBelow(connection.bufferedBytes(), 100_000 + 2 * chunk.length)
      server.publish("all", "skipped")
      yield* eventually("the notice of the skipped message", () => drops.length > 0)
      client.socket.resume()
      yield* eventually("the drain", () => drains.at(-1) === 0)
      assert.strictEqual(connection.send("after"), "sent")
      yield* eventually("the last message", () => client.received.at(-1) === "after")
      assert.notInclude(client.received, "skipped")
      assert.strictEqual(client.received.length, results.filter((result) => result !== "dropped").length + 1)
    }),
  )

  it.effect("get the close code after they have read all earlier messages, and nothing in between", () =>
    Effect.gen(function* () {
      const { server, client, connection, closes } = yield* flooding
      connection.end(4008, "too slow")
      assert.isTrue(connection.closed)
      assert.strictEqual(connection.send("late"), "dropped")
      server.publish("all", "late too")
      client.socket.resume()
      yield* eventually("the close", () => client.closed !== undefined)
      assert.deepStrictEqual(client.closed, { code: 4008, reason: "too slow" })
      assert.notInclude(client.received, "late")
      assert.notInclude(client.received, "late too")
      assert.deepStrictEqual(closes, [4008])
    }),
  )

  it.effect("are cut if they do not read the close frame", () =>
    Effect.gen(function* () {
      const { connection, closes } = yield* flooding
      connection.end(4008, "too slow")
      yield* eventually("the end", () => closes.length > 0)
      assert.deepStrictEqual(closes, [4008])
    }),
  )

  it.effect("can be cut at once, even while their close frame is pending, which frees their buffer", () =>
    Effect.gen(function* () {
      const { connection, closes } = yield* flooding
      connection.end(4008, "too slow")
      assert.isAbove(connection.bufferedBytes(), 0)
      connection.cut()
      connection.cut()
      assert.strictEqual(connection.bufferedBytes(), 0)
      assert.deepStrictEqual(closes, [4008])
    }),
  )

  it.live("are detached when the server closes while their close frame is pending", () =>
    Effect.gen(function* () {
      const connection = yield* Effect.scoped(
        Effect.gen(function* () {
          const { connection } = yield* flooding
          connection.end(4008, "too slow")
          return connection
        }),
      )
      assert.isTrue(connection.closed)
      // After the deadline of the close frame. Using the native socket now would be an uncaught exception.
      yield* Effect.sleep("5500 millis")
      assert.strictEqual(connection.bufferedBytes(), 0)
    }),
  )

  it.effect("may be closed by the handler when it is notified of a dropped publish", () =>
    Effect.gen(function* () {
      const slow = new Set<number>()
      const { server, url } = yield* serving("/ws", {
        upgrade: admitAll,
        open: (connection) => connection.subscribe("all"),
        dropped: (connection) => {
          slow.add(connection.id)
          connection.end(4008, "too slow")
        },
        limits: { maxBackpressureBytes: 100_000 },
      })
      const clients = yield* Effect.forEach(Array.from({ length: 6 }), () => Client.connect(`${url}/ws`))
      for (const client of clients.slice(0, 3)) client.socket.pause()
      const chunk = new Uint8Array(200_000)
      for (let round = 0; slow.size < 3 && round < 500; round++) {
        server.publish("all", chunk, true)
        yield* awhile(1)
      }
      assert.strictEqual(slow.size, 3)
      yield* eventually("the slow clients to leave the topic", () => server.subscribers("all") === 3)
      for (const client of clients) client.socket.resume()
      yield* eventually("the closes", () => clients.slice(0, 3).every((client) => client.closed?.code === 4008))
      server.publish("all", "for the others")
      yield* eventually("the messages of the others", () => clients.slice(3).every((client) => client.received.at(-1) === "for the others"))
    }),
  )

  it.effect("get nothing published after the message they missed, once they have left the topic", () =>
    Effect.gen(function* () {
      const missed: Array<number> = []
      const { server, url } = yield* serving("/ws", {
        upgrade: admitAll,
        open: (connection) => connection.subscribe("all"),
        dropped: (connection, skipped) => {
          missed.push(numberOf(Buffer.from(skipped)))
          connection.unsubscribe("all")
        },
        limits: { maxBackpressureBytes: 100_000 },
      })
      const client = yield* Client.connect(`${url}/ws`)
      const { socket } = client
      let next = 0
      const publish = (count: number) => {
        for (const end = next + count; next < end; next++) server.publish("all", String(next).padEnd(10_000))
      }
      socket.pause()
      publish(600)
      // Each message that the client reads makes room for messages published in the same turn.
      socket.on("message", () => missed.length === 0 && publish(100))
      socket.resume()
      yield* eventually("the notice of the skipped message", () => missed.length > 0)
      yield* awhile(100)
      const numbers = client.received.map(numberOf)
      assert.deepStrictEqual(
        numbers,
        Array.from({ length: missed[0] ?? 0 }, (_, index) => index),
      )
    }),
  )
})

const numberOf = (message: Buffer | string): number => Number.parseInt(String(message), 10)
