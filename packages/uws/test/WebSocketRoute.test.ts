import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Scope } from "effect"
import { UwsServer } from "../src/UwsServer.ts"
import { accept, reject } from "../src/Verdict.ts"
import type { WebSocketConnection } from "../src/WebSocketConnection.ts"
import { awhile, eventually } from "./eventually.ts"
import { RawClient } from "./RawClient.ts"
import { admitAll, Client, handshake, serving } from "./webSocketTesting.ts"

describe("WebSocketRoute", () => {
  describe("handshake", () => {
    it.effect("passes the request to the handler and the data to the connection", () =>
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

    it.effect("answers with the protocol and headers of the verdict, immediate or late", () =>
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

    it.effect("stays open, however late the verdict came", () =>
      Effect.gen(function* () {
        const opened: Array<number> = []
        const closed: Array<number> = []
        const { server, url } = yield* serving("/later", {
          upgrade: () => Effect.as(awhile(5), accept(1)),
          open: (connection) => {
            opened.push(connection.id)
            connection.subscribe("all")
          },
          close: (connection) => closed.push(connection.id),
        })
        yield* Effect.forEach(Array.from({ length: 48 }), () => Client.connect(`${url}/later`), { concurrency: 12 })
        yield* awhile(50)
        assert.deepStrictEqual([opened.length, closed, server.subscribers("all")], [48, [], 48])
      }),
    )

    it.effect("announces only a protocol that the handler chose", () =>
      Effect.gen(function* () {
        const { port } = yield* serving("/ws", { upgrade: admitAll })
        const raw = yield* RawClient.open(port)
        raw.get("/ws", [...handshake, "sec-websocket-protocol: v1, v2"])
        yield* raw.untilReceived("\r\n\r\n")
        assert.notInclude(raw.received.toLowerCase(), "sec-websocket-protocol")
      }),
    )

    it.effect("rejects with status, headers and body, immediately or late", () =>
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

    it.effect("answers 503 if the decision takes too long, and 500 if it fails or cannot be sent", () =>
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

    it.effect("passes plain requests and other paths to the next handler", () =>
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

    it.effect("rejects options that would make the native library end the process", () =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(serving("/ws", { upgrade: admitAll, limits: { idleTimeoutSeconds: 3 } }))
        assert.isTrue(Exit.hasDies(exit))
        yield* serving("/ws", { upgrade: admitAll, limits: { idleTimeoutSeconds: 8, sendPingsAutomatically: false } })
      }),
    )
  })

  describe("messages", () => {
    it.effect("transfers text and binary both ways, including bytes from part of a buffer", () =>
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

    it.effect("publishes to the subscribers of a topic only", () =>
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

    it.effect("closes on messages over the limit and on invalid frames, without affecting other connections", () =>
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
        assert.deepStrictEqual(large.closed, { code: 1009, reason: "message too big" })
        // In fragments that are each within the limit.
        const parted = yield* Client.connect(`${url}/ws`)
        parted.socket.send("x".repeat(60), { fin: false })
        parted.socket.send("x".repeat(60), { fin: true })
        yield* eventually("the close of the parted one", () => parted.closed !== undefined)
        assert.strictEqual(parted.closed?.code, 1009)
        // Above the native library's own limit there is no close frame.
        const huge = yield* Client.connect(`${url}/ws`)
        huge.socket.send("x".repeat(1_601))
        yield* eventually("the close of the huge one", () => huge.closed !== undefined)
        assert.strictEqual(huge.closed?.code, 1006)
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
        assert.strictEqual(codes.length, 8)
        good.socket.send("still here")
        yield* eventually("the message", () => messages.length > 0)
        assert.deepStrictEqual(messages, ["still here"])
      }),
    )
  })

  describe("unmasked frames", () => {
    const ping = '{"action":"ping"}'
    const unmasked = Buffer.concat([Buffer.from([0x81, ping.length]), Buffer.from(ping)])

    it.effect("end the connection at the second frame", () =>
      Effect.gen(function* () {
        const messages: Array<string> = []
        const { port } = yield* serving("/ws", {
          upgrade: admitAll,
          message: (_connection, data) => messages.push(Buffer.from(data).toString()),
        })
        const raw = yield* RawClient.open(port)
        raw.get("/ws", handshake)
        yield* raw.untilReceived("\r\n\r\n")
        raw.write(unmasked)
        yield* awhile(20)
        raw.write(unmasked)
        yield* raw.untilClosed
        assert.deepStrictEqual(messages, [])
      }),
    )
  })

  describe("close", () => {
    it.effect("transfers close codes and reasons both ways, after which every method has no effect", () =>
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

    it.effect("closes every socket when the server stops, and rejects new ones", () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const { url } = yield* serving("/ws", { upgrade: admitAll }, { shutdownClose: { code: 4503, reason: "restart" } }).pipe(
          Scope.provide(scope),
        )
        const clients = yield* Effect.forEach(Array.from({ length: 20 }), () => Client.connect(`${url}/ws`))
        // Clients must get their close frame even if they send input that the server no longer reads.
        for (const client of clients) client.socket.send("x".repeat(10_000))
        yield* Scope.close(scope, Exit.void)
        yield* eventually("the closes", () => clients.every((client) => client.closed !== undefined))
        assert.deepStrictEqual([...new Set(clients.map((client) => client.closed?.code))], [4503])
        const late = yield* Client.connect(`${url}/ws`)
        assert.isFalse(late.open)
      }),
    )

    it.effect("ends a route with its scope, while the server continues", () =>
      Effect.gen(function* () {
        const server = yield* UwsServer.make({ port: 0, host: "127.0.0.1" })
        const scope = yield* Scope.make()
        yield* Scope.provide(server.websocket("/ws", { upgrade: admitAll }), scope)
        const url = `ws://127.0.0.1:${server.address.port}/ws`
        const client = yield* Client.connect(url)
        yield* Scope.close(scope, Exit.void)
        yield* eventually("the close", () => client.closed?.code === 1001)
        const late = yield* Client.connect(url)
        assert.deepStrictEqual([late.open, late.refused], [false, undefined])
      }),
    )
  })
})
