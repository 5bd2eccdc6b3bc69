import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Scope } from "effect"
import { accept, reject } from "../src/ConnectDecision.ts"
import type { SseConnection } from "../src/SseConnection.ts"
import type { SseHandler } from "../src/SseRoute.ts"
import { UwsServer } from "../src/UwsServer.ts"
import { awhile, eventually } from "./eventually.ts"
import { RawClient } from "./RawClient.ts"

const serving = <Data>(path: string, handler: SseHandler<Data>) =>
  Effect.gen(function* () {
    const server = yield* UwsServer.make({ port: 0, host: "127.0.0.1" })
    yield* server.sse(path, handler)
    return { server, port: server.address.port }
  })

const admitAll = () => Effect.succeed(accept("anybody"))

const event = (text: string): Uint8Array => new TextEncoder().encode(`data: ${text}\n\n`)

/** Received part of the body of a chunked response. */
const bodyOf = (received: string): string => {
  let rest = received.slice(received.indexOf("\r\n\r\n") + 4)
  let body = ""
  for (;;) {
    const match = /^(?:\r\n)?([0-9a-f]+)\r\n/i.exec(rest)
    const length = Number.parseInt(match?.[1] ?? "0", 16)
    if (match === null || length === 0) return body
    body += rest.slice(match[0].length, match[0].length + length)
    rest = rest.slice(match[0].length + length)
  }
}

describe("SseRoute", () => {
  it.effect("opens with the headers of an event stream, those of the handler, and the retry time", () =>
    Effect.gen(function* () {
      const { port } = yield* serving("/live/:game", {
        connect: (request) =>
          Effect.succeed(
            accept(request.params.game, {
              retryMs: 1500,
              headers: { "x-recovered": `${request.headers["last-event-id"]}-${request.query.get("from")}`, "Cache-Control": "no-store" },
            }),
          ),
        open: (connection) => connection.write(event(String(connection.data))),
      })
      const raw = yield* RawClient.open(port)
      raw.get("/live/cs2?from=7", ["Last-Event-ID: 1.6"])
      yield* raw.untilReceived("data: cs2")
      const lines = raw.received.toLowerCase().split("\r\n")
      assert.strictEqual(lines[0], "http/1.1 200 ok")
      assert.includeMembers(lines, [
        "content-type: text/event-stream; charset=utf-8",
        "cache-control: no-store",
        "x-accel-buffering: no",
        "x-recovered: 1.6-7",
      ])
      assert.strictEqual(bodyOf(raw.received), "retry: 1500\n\ndata: cs2\n\n")
    }),
  )

  it.effect("opens in the client's parser before the first event", () =>
    Effect.gen(function* () {
      const { port } = yield* serving("/live", { connect: () => Effect.as(awhile(10), accept(1)) })
      const response = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/live`))
      assert.strictEqual(response.status, 200)
      yield* Effect.promise(async () => response.body?.cancel())
    }),
  )

  it.effect("rejects with status, headers and body, and answers 500 if the decision fails", () =>
    Effect.gen(function* () {
      const { port } = yield* serving("/:what", {
        connect: (request) =>
          request.path === "/no"
            ? Effect.succeed(reject(403, { headers: { "x-reason": "plan" }, body: new TextEncoder().encode("{}") }))
            : Effect.die("broken"),
      })
      const refused = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/no`))
      assert.deepStrictEqual([refused.status, refused.headers.get("x-reason")], [403, "plan"])
      assert.strictEqual(yield* Effect.promise(() => refused.text()), "{}")
      assert.strictEqual((yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/broken`))).status, 500)
    }),
  )

  it.effect("interrupts the decision when the client leaves", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      const { port } = yield* serving("/live", {
        connect: () =>
          Deferred.succeed(started, undefined).pipe(
            Effect.andThen(Effect.never),
            Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined)),
          ),
      })
      const raw = yield* RawClient.open(port)
      raw.get("/live")
      yield* Deferred.await(started)
      raw.leave()
      yield* Deferred.await(interrupted)
    }),
  )

  it.effect("writes the same event to all subscribers of a topic, and removes those that leave", () =>
    Effect.gen(function* () {
      const closed: Array<string> = []
      const { server, port } = yield* serving("/live/:topic", {
        connect: (request) => Effect.succeed(accept(request.params.topic ?? "")),
        open: (connection) => {
          connection.subscribe(connection.data)
          connection.subscribe("everything")
        },
        close: (connection) => {
          assert.isTrue(connection.closed)
          assert.isFalse(connection.write(event("too late")))
          connection.end()
          closed.push(connection.data)
        },
      })
      const clients = yield* Effect.forEach(["a", "a", "b"], (topic) =>
        Effect.tap(RawClient.open(port), (raw) => {
          raw.get(`/live/${topic}`)
          return raw.untilReceived(":\n\n")
        }),
      )
      const [a1, a2, b] = clients
      assert.deepStrictEqual([server.sseSubscribers("a"), server.sseSubscribers("b"), server.sseSubscribers("c")], [2, 1, 0])
      assert.deepStrictEqual([server.publishSse("a", event("1")), server.publishSse("c", event("2"))], [2, 0])
      server.publishSse("everything", event("3"))
      for (const raw of clients) yield* raw.untilReceived("data: 3")
      assert.strictEqual(bodyOf(a1?.received ?? ""), ":\n\ndata: 1\n\ndata: 3\n\n")
      assert.strictEqual(bodyOf(a2?.received ?? ""), ":\n\ndata: 1\n\ndata: 3\n\n")
      assert.strictEqual(bodyOf(b?.received ?? ""), ":\n\ndata: 3\n\n")
      a1?.leave()
      b?.reset()
      yield* eventually("the closes", () => closed.length === 2)
      assert.deepStrictEqual(closed.sort(), ["a", "b"])
      assert.deepStrictEqual([server.sseSubscribers("a"), server.sseSubscribers("everything")], [1, 1])
    }),
  )

  it.effect("reports when a slow reader has caught up, and loses nothing", () =>
    Effect.gen(function* () {
      let connection: SseConnection<string> | undefined
      let drains = 0
      const { port } = yield* serving("/live", {
        connect: admitAll,
        open: (one) => {
          connection = one
        },
        drain: () => drains++,
        limits: { maxBackpressureBytes: 10_000_000 },
      })
      const raw = yield* RawClient.open(port)
      raw.get("/live")
      yield* raw.untilReceived(":\n\n")
      if (connection === undefined) return yield* Effect.die("not open")
      raw.pause()
      const filler = "x".repeat(20_000)
      let written = 0
      while (connection.write(event(`${written}-${filler}`))) written++
      // The kernel may enlarge its buffers and take more after the first refusal.
      while (connection.bufferedBytes <= 20 * filler.length) connection.write(event(`${++written}-${filler}`))
      connection.write(event("last"))
      yield* awhile(50)
      assert.strictEqual(drains, 0)
      raw.resume()
      yield* eventually("the drain", () => drains === 1)
      assert.strictEqual(connection.bufferedBytes, 0)
      yield* raw.untilReceived("data: last")
      const events = bodyOf(raw.received)
        .split("\n\n")
        .filter((text) => text.trim() !== "" && text !== ":")
      assert.strictEqual(events.length, written + 2)
      assert.isTrue(connection.write(event("after")))
      yield* raw.untilReceived("data: after")
    }),
  )

  it.effect("skips a reader that is too far behind until it has drained, notifies the handler once, and sends others everything", () =>
    Effect.gen(function* () {
      const dropped: Array<readonly [number, string]> = []
      const drained: Array<number> = []
      const { server, port } = yield* serving("/live", {
        connect: admitAll,
        open: (connection) => connection.subscribe("all"),
        dropped: (connection, skipped) => dropped.push([connection.id, Buffer.from(skipped.subarray(0, 20)).toString()]),
        drain: (connection) => drained.push(connection.id),
        limits: { maxBackpressureBytes: 200_000 },
      })
      const clients = yield* Effect.forEach([1, 2, 3], () =>
        Effect.tap(RawClient.open(port), (raw) => {
          raw.get("/live")
          return raw.untilReceived(":\n\n")
        }),
      )
      clients[1]?.pause()
      for (const raw of clients) raw.keep = false
      let sent = 0
      for (; dropped.length === 0 && sent < 2000; sent++) {
        server.publishSse("all", event(`${sent}:${"x".repeat(50_000)}`))
        yield* awhile(0)
      }
      // The first skipped event.
      assert.deepStrictEqual(
        dropped.map(([id, beginning]) => [id, beginning.slice(0, `data: ${sent - 1}:`.length)]),
        [[2, `data: ${sent - 1}:`]],
      )
      server.publishSse("all", event("nor this"))
      assert.strictEqual(dropped.length, 1)
      for (const raw of clients) raw.keep = true
      clients[1]?.resume()
      while (!drained.includes(2)) yield* awhile(5)
      server.publishSse("all", event("for everybody"))
      for (const raw of clients) yield* raw.untilReceived("for everybody")
      assert.notInclude(clients[1]?.received ?? "", "nor this")
    }),
  )

  it.effect("cuts a reader when the handler asks for it, even in the middle of a publish", () =>
    Effect.gen(function* () {
      const closed: Array<number> = []
      const { server, port } = yield* serving("/live", {
        connect: admitAll,
        open: (connection) => connection.subscribe("all"),
        dropped: (connection) => connection.cut(),
        close: (connection) => closed.push(connection.id),
        limits: { maxBackpressureBytes: 200_000 },
      })
      const clients = yield* Effect.forEach([1, 2, 3], () =>
        Effect.tap(RawClient.open(port), (raw) => {
          raw.get("/live")
          return raw.untilReceived(":\n\n")
        }),
      )
      clients[1]?.pause()
      for (const raw of clients) raw.keep = false
      const frame = event("x".repeat(50_000))
      for (let sent = 0; closed.length === 0 && sent < 2000; sent++) {
        server.publishSse("all", frame)
        yield* awhile(0)
      }
      assert.deepStrictEqual(closed, [2])
      assert.strictEqual(server.sseSubscribers("all"), 2)
      for (const raw of clients) raw.keep = true
      server.publishSse("all", event("for the others"))
      yield* clients[0]?.untilReceived("for the others") ?? Effect.void
      yield* clients[2]?.untilReceived("for the others") ?? Effect.void
    }),
  )

  it.effect("ends streams completely: by the handler, and when the scope of the route or of the server closes", () =>
    Effect.gen(function* () {
      let closes = 0
      const handler: SseHandler<string> = {
        connect: (request) => Effect.succeed(accept(request.path)),
        open: (connection) => {
          if (connection.data === "/ended") connection.end(event("bye"))
        },
        close: () => closes++,
      }
      const serverScope = yield* Scope.make()
      const routeScope = yield* Scope.make()
      const server = yield* Scope.provide(UwsServer.make({ port: 0, host: "127.0.0.1" }), serverScope)
      yield* Scope.provide(server.sse("/ended", handler), serverScope)
      yield* Scope.provide(server.sse("/route", handler), routeScope)
      yield* Scope.provide(server.sse("/server", handler), serverScope)
      const open = (path: string) =>
        Effect.tap(RawClient.open(server.address.port), (raw) => {
          raw.get(path)
          return raw.untilReceived(":\n\n")
        })
      const ended = yield* open("/ended")
      yield* ended.untilReceived("0\r\n\r\n")
      assert.strictEqual(bodyOf(ended.received), ":\n\ndata: bye\n\n")
      const onRoute = yield* open("/route")
      const onServer = yield* open("/server")
      yield* Scope.close(routeScope, Exit.void)
      yield* onRoute.untilReceived("0\r\n\r\n")
      onRoute.get("/route")
      yield* onRoute.untilClosed
      assert.strictEqual(closes, 2)
      yield* Scope.close(serverScope, Exit.void)
      yield* onServer.untilReceived("0\r\n\r\n")
      yield* onServer.untilClosed
      assert.strictEqual(closes, 3)
    }),
  )
})
