import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Scope } from "effect"
import { WebSocket } from "ws"
import { UwsServer, type UwsServerOptions } from "../src/UwsServer.ts"
import { accept, reject } from "../src/Verdict.ts"
import type { SendResult, WebSocketConnection } from "../src/WebSocketConnection.ts"
import type { WebSocketHandler } from "../src/WebSocketRoute.ts"
import { awhile, eventually } from "./eventually.ts"
import { RawClient } from "./RawClient.ts"

const admitAll = () => Effect.succeed(accept("anybody"))

const serving = <Data>(path: string, handler: WebSocketHandler<Data>, options: Partial<UwsServerOptions> = {}) =>
  Effect.gen(function* () {
    const server = yield* UwsServer.make({ port: 0, host: "127.0.0.1", ...options })
    yield* server.websocket(path, handler)
    return { server, port: server.address.port, url: `ws://127.0.0.1:${server.address.port}` }
  })

/** A client that notes all that happens to it. */
class Client {
  readonly received: Array<string> = []
  readonly binary: Array<boolean> = []
  open = false
  closed: { readonly code: number; readonly reason: string } | undefined
  refused: { readonly status: number; readonly headers: NodeJS.Dict<string | Array<string>>; readonly body: string } | undefined
  readonly socket: WebSocket

  constructor(url: string, protocols: Array<string> = [], headers: Record<string, string> = {}) {
    this.socket = new WebSocket(url, protocols, { headers })
    this.socket.on("open", () => {
      this.open = true
    })
    this.socket.on("message", (data, isBinary) => {
      this.received.push(String(data))
      this.binary.push(isBinary)
    })
    this.socket.on("close", (code, reason) => {
      this.closed = { code, reason: String(reason) }
    })
    this.socket.on("unexpected-response", (_request, response) => {
      let body = ""
      response.on("data", (chunk) => {
        body += chunk
      })
      response.on("end", () => {
        this.refused = { status: response.statusCode ?? 0, headers: response.headers, body }
      })
    })
    // Whatever breaks a connection shows in its close event, which the tests look at.
    this.socket.on("error", () => {})
  }

  static connect(...args: ConstructorParameters<typeof Client>) {
    const client = Effect.acquireRelease(
      Effect.sync(() => new Client(...args)),
      ({ socket }) => Effect.sync(() => socket.terminate()),
    )
    return Effect.tap(client, (one) => eventually("the handshake", () => one.open || one.refused !== undefined || one.closed !== undefined))
  }
}

const handshake = ["upgrade: websocket", "connection: upgrade", "sec-websocket-version: 13", "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=="]

describe("WebSocketRoute", () => {
  describe("handshake", () => {
    it.effect("gives the handler the request, and the connection its data", () =>
      Effect.gen(function* () {
        const seen: Array<unknown> = []
        const { url } = yield* serving("/ws/:game/:id", {
          upgrade: (request) =>
            Effect.succeed(
              accept({
                ...request.params,
                path: request.path,
                url: request.url,
                token: request.query.get("token"),
                lang: request.headers["x-lang"],
                from: request.remoteAddress,
              }),
            ),
          open: (connection) => seen.push(connection.id, connection.data),
        })
        yield* Client.connect(`${url}/ws/cs2/f%C3%BCnf?token=a%20b`, [], { "X-Lang": "en" })
        assert.deepStrictEqual(seen, [
          1,
          {
            game: "cs2",
            id: "fünf",
            path: "/ws/cs2/f%C3%BCnf",
            url: "/ws/cs2/f%C3%BCnf?token=a%20b",
            token: "a b",
            lang: "en",
            from: "127.0.0.1",
          },
        ])
      }),
    )

    it.effect("answers with the protocol and headers of the verdict, at once and later", () =>
      Effect.gen(function* () {
        const { port } = yield* serving("/:when", {
          upgrade: (request) =>
            Effect.as(request.path === "/later" ? awhile(20) : Effect.void, accept(1, { protocol: "v2", headers: { "x-node": "a" } })),
        })
        for (const path of ["/now", "/later"]) {
          const raw = yield* RawClient.open(port)
          raw.get(path, [...handshake, "sec-websocket-protocol: v1, v2"])
          yield* raw.untilReceived("\r\n\r\n")
          const lines = raw.received.toLowerCase().split("\r\n")
          assert.strictEqual(lines[0], "http/1.1 101 switching protocols")
          assert.includeMembers(lines, ["x-node: a", "sec-websocket-protocol: v2"])
        }
      }),
    )

    it.effect("announces no protocol that the handler did not choose", () =>
      Effect.gen(function* () {
        const { port } = yield* serving("/ws", { upgrade: admitAll })
        const raw = yield* RawClient.open(port)
        raw.get("/ws", [...handshake, "sec-websocket-protocol: v1, v2"])
        yield* raw.untilReceived("\r\n\r\n")
        assert.notInclude(raw.received.toLowerCase(), "sec-websocket-protocol")
      }),
    )

    it.effect("refuses with status, headers and body, at once and later", () =>
      Effect.gen(function* () {
        const { url } = yield* serving("/:when", {
          upgrade: (request) =>
            Effect.as(
              request.path === "/later" ? awhile(20) : Effect.void,
              reject(429, {
                headers: { "content-type": "application/json", "retry-after": "3" },
                body: new TextEncoder().encode('{"code":"TOO_MANY"}'),
              }),
            ),
        })
        for (const path of ["/now", "/later"]) {
          const { refused } = yield* Client.connect(url + path)
          assert.strictEqual(refused?.status, 429)
          assert.strictEqual(refused?.headers["retry-after"], "3")
          assert.strictEqual(refused?.body, '{"code":"TOO_MANY"}')
        }
      }),
    )

    it.effect("interrupts the decision when the client leaves, and opens nothing", () =>
      Effect.gen(function* () {
        const started = yield* Deferred.make<void>()
        const interrupted = yield* Deferred.make<void>()
        let opened = 0
        const { port } = yield* serving("/ws", {
          upgrade: () =>
            Deferred.succeed(started, undefined).pipe(
              Effect.andThen(Effect.never),
              Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined)),
            ),
          open: () => opened++,
        })
        const raw = yield* RawClient.open(port)
        raw.get("/ws", handshake)
        yield* Deferred.await(started)
        raw.leave()
        yield* Deferred.await(interrupted)
        assert.strictEqual(opened, 0)
      }),
    )

    it.effect("answers 503 when the decision takes too long, 500 when it breaks or cannot be sent", () =>
      Effect.gen(function* () {
        const { url } = yield* serving("/:what", {
          upgrade: (request) => {
            switch (request.path) {
              case "/slow":
                return Effect.never
              case "/broken":
                return Effect.die("broken")
              default:
                return Effect.succeed(accept(1, { headers: { "x-user": "a\r\nx-forged: yes" } }))
            }
          },
          limits: { upgradeTimeoutMs: 30 },
        })
        assert.strictEqual((yield* Client.connect(`${url}/slow`)).refused?.status, 503)
        assert.strictEqual((yield* Client.connect(`${url}/broken`)).refused?.status, 500)
        const forged = yield* Client.connect(`${url}/forged`)
        assert.strictEqual(forged.refused?.status, 500)
        assert.notProperty(forged.refused?.headers, "x-forged")
      }),
    )

    it.effect("leaves plain requests and other paths to the next handler", () =>
      Effect.gen(function* () {
        const { server, port } = yield* serving("/ws", { upgrade: admitAll })
        yield* server.http((response, _request, context) => response.end(context === undefined ? "plain" : "unknown socket"))
        const raw = yield* RawClient.open(port)
        raw.get("/ws")
        yield* raw.untilReceived("plain")
        raw.get("/other", handshake)
        yield* raw.untilReceived("unknown socket")
      }),
    )

    it.effect("refuses options on which the native library would end the process", () =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(serving("/ws", { upgrade: admitAll, limits: { idleTimeoutSeconds: 3 } }))
        assert.isTrue(Exit.hasDies(exit))
        yield* serving("/ws", { upgrade: admitAll, limits: { idleTimeoutSeconds: 8, sendPingsAutomatically: false } })
      }),
    )
  })

  describe("messages", () => {
    it.effect("carries text and binary both ways, bytes from any part of a buffer", () =>
      Effect.gen(function* () {
        const { url } = yield* serving("/ws", {
          upgrade: admitAll,
          open: (connection) => connection.send(new TextEncoder().encode("..hello..").subarray(2, 7)),
          message: (connection, data, isBinary) => connection.send(new Uint8Array(data), isBinary),
        })
        const client = yield* Client.connect(`${url}/ws`)
        client.socket.send("text ö")
        client.socket.send(Buffer.from("binary"))
        yield* eventually("the echoes", () => client.received.length === 3)
        assert.deepStrictEqual(client.received, ["hello", "text ö", "binary"])
        assert.deepStrictEqual(client.binary, [false, false, true])
      }),
    )

    it.effect("publishes to those who follow a topic, and to no one else", () =>
      Effect.gen(function* () {
        const connections: Array<WebSocketConnection<string>> = []
        const { server, url } = yield* serving("/ws", {
          upgrade: (request) => Effect.succeed(accept(request.query.get("topic") ?? "")),
          open: (connection) => {
            connections.push(connection)
            connection.subscribe(connection.data)
          },
        })
        const a1 = yield* Client.connect(`${url}/ws?topic=a`)
        const a2 = yield* Client.connect(`${url}/ws?topic=a`)
        const b = yield* Client.connect(`${url}/ws?topic=b`)
        assert.deepStrictEqual([server.subscribers("a"), server.subscribers("b"), server.subscribers("c")], [2, 1, 0])
        assert.isTrue(server.publish("a", new TextEncoder().encode("to a")))
        assert.isTrue(server.publish("b", "to b", true))
        assert.isFalse(server.publish("c", "to nobody"))
        connections[1]?.unsubscribe("a")
        server.publish("a", "again")
        yield* eventually("the messages", () => a1.received.length === 2 && b.received.length === 1)
        assert.deepStrictEqual([a1.received, a2.received, b.received, b.binary], [["to a", "again"], ["to a"], ["to b"], [true]])
        a1.socket.close()
        yield* eventually("the unsubscription", () => server.subscribers("a") === 0)
      }),
    )

    it.effect("closes on messages over the limit, and on invalid frames, without touching others", () =>
      Effect.gen(function* () {
        const codes: Array<number> = []
        const messages: Array<string> = []
        const { port, url } = yield* serving("/ws", {
          upgrade: admitAll,
          message: (_connection, data) => messages.push(Buffer.from(data).toString()),
          close: (_connection, code) => codes.push(code),
          limits: { maxPayloadBytes: 100 },
        })
        const good = yield* Client.connect(`${url}/ws`)
        const large = yield* Client.connect(`${url}/ws`)
        large.socket.send("x".repeat(101))
        yield* eventually("the close of the large one", () => large.closed !== undefined)
        const invalid = {
          "a reserved opcode": [0x83, 0x80, 0, 0, 0, 0],
          "reserved bits": [0xf1, 0x80, 0, 0, 0, 0],
          "an endless length": [0x82, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
          "text that is not UTF-8": [0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28],
          "a continuation of nothing": [0x80, 0x80, 0, 0, 0, 0],
        }
        for (const bytes of Object.values(invalid)) {
          const raw = yield* RawClient.open(port)
          raw.get("/ws", handshake)
          yield* raw.untilReceived("\r\n\r\n")
          raw.write(new Uint8Array(bytes))
          yield* raw.untilClosed
        }
        assert.strictEqual(codes.length, 6)
        good.socket.send("still here")
        yield* eventually("the message", () => messages.length > 0)
        assert.deepStrictEqual(messages, ["still here"])
      }),
    )
  })

  describe("slow readers", () => {
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

    it.effect("are told apart by the result of send, stay within the limit, and drain", () =>
      Effect.gen(function* () {
        const { server, client, connection, results, drops, drains, chunk } = yield* flooding
        assert.deepStrictEqual([...new Set(results)], ["sent", "buffered", "dropped"])
        assert.isBelow(connection.bufferedBytes(), 100_000 + 2 * chunk.length)
        server.publish("all", "skipped")
        yield* eventually("the news of the skipped message", () => drops.length > 0)
        client.socket.resume()
        yield* eventually("the drain", () => drains.at(-1) === 0)
        assert.strictEqual(connection.send("after"), "sent")
        yield* eventually("the last message", () => client.received.at(-1) === "after")
        assert.notInclude(client.received, "skipped")
        assert.strictEqual(client.received.length, results.filter((result) => result !== "dropped").length + 1)
      }),
    )

    it.effect("get the close code once they have read what was before it, and nothing in between", () =>
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

    it.effect("are cut off when they do not even read the close frame", () =>
      Effect.gen(function* () {
        const { connection, closes } = yield* flooding
        connection.end(4008, "too slow")
        yield* eventually("the end", () => closes.length > 0)
        assert.deepStrictEqual(closes, [4008])
      }),
    )

    it.effect("may be closed by the handler the moment it hears of a dropped publish", () =>
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
        yield* eventually("the slow ones to leave the topic", () => server.subscribers("all") === 3)
        for (const client of clients) client.socket.resume()
        yield* eventually("the closes", () => clients.slice(0, 3).every((client) => client.closed?.code === 4008))
        server.publish("all", "for the others")
        yield* eventually("the others", () => clients.slice(3).every((client) => client.received.at(-1) === "for the others"))
      }),
    )
  })

  describe("the end", () => {
    it.effect("passes close codes and reasons both ways, and makes every method harmless", () =>
      Effect.gen(function* () {
        const connections: Array<WebSocketConnection<string>> = []
        const closes: Array<[number, string]> = []
        const { url } = yield* serving("/ws", {
          upgrade: admitAll,
          open: (connection) => connections.push(connection),
          message: (connection) => connection.end(4001, "as you wish"),
          close: (connection, code, reason) => {
            assert.isTrue(connection.closed)
            closes.push([code, reason])
          },
        })
        const closing = yield* Client.connect(`${url}/ws`)
        closing.socket.close(4100, "done")
        yield* eventually("the first close", () => closes.length === 1)
        const asking = yield* Client.connect(`${url}/ws`)
        asking.socket.send("please")
        yield* eventually("the second close", () => asking.closed !== undefined)
        const vanishing = yield* Client.connect(`${url}/ws`)
        vanishing.socket.terminate()
        yield* eventually("the third close", () => closes.length === 3)
        assert.deepStrictEqual(closes, [
          [4100, "done"],
          [4001, "as you wish"],
          [1006, "Received TCP FIN before WebSocket close frame"],
        ])
        assert.deepStrictEqual(asking.closed, { code: 4001, reason: "as you wish" })
        for (const connection of connections) {
          assert.strictEqual(connection.send("x"), "dropped")
          assert.strictEqual(connection.bufferedBytes(), 0)
          connection.subscribe("a")
          connection.unsubscribe("a")
          connection.end(1000)
        }
      }),
    )

    it.effect("tells every socket good-bye when the server stops, and refuses new ones", () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const { url } = yield* serving("/ws", { upgrade: admitAll }, { shutdownClose: { code: 4503, reason: "restart" } }).pipe(
          Scope.provide(scope),
        )
        const clients = yield* Effect.forEach(Array.from({ length: 20 }), () => Client.connect(`${url}/ws`))
        // Input the server will not read any more must not cost them their close frame.
        for (const client of clients) client.socket.send("x".repeat(10_000))
        yield* Scope.close(scope, Exit.void)
        yield* eventually("the closes", () => clients.every((client) => client.closed !== undefined))
        assert.deepStrictEqual([...new Set(clients.map((client) => client.closed?.code))], [4503])
        const late = yield* Client.connect(`${url}/ws`)
        assert.isFalse(late.open)
      }),
    )

    it.effect("ends a route with its scope, while the server goes on", () =>
      Effect.gen(function* () {
        const server = yield* UwsServer.make({ port: 0, host: "127.0.0.1" })
        const scope = yield* Scope.make()
        yield* Scope.provide(server.websocket("/ws", { upgrade: admitAll }), scope)
        const url = `ws://127.0.0.1:${server.address.port}/ws`
        const client = yield* Client.connect(url)
        yield* Scope.close(scope, Exit.void)
        yield* eventually("the close", () => client.closed?.code === 1001)
        assert.strictEqual((yield* Client.connect(url)).refused?.status, 404)
      }),
    )
  })
})
