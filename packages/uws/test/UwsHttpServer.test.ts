import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope, Stream } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { WebSocket } from "ws"
import { UwsHttpServer, type UwsHttpServerOptions } from "../src/UwsHttpServer.ts"
import type { UwsServerOptions } from "../src/UwsServer.ts"
import { awhile, eventually } from "./eventually.ts"
import { type Driver, servingOne } from "./http/driver.ts"
import { httpServerSuite } from "./httpServerSuite.ts"
import { RawClient } from "./RawClient.ts"

const driver = (options: UwsHttpServerOptions & Partial<UwsServerOptions> = {}): Driver => ({
  name: "uws",
  layer: UwsHttpServer.layerTest(options),
})

httpServerSuite(driver())

const { HttpServerRequest: CurrentRequest } = HttpServerRequest

const readText = Effect.gen(function* () {
  const request = yield* CurrentRequest
  return HttpServerResponse.text(yield* request.text)
})

describe("UwsHttpServer, beyond the shared suite", () => {
  it.effect("rejects line breaks in the status text, which node:http never answers", () =>
    Effect.gen(function* () {
      const { port } = yield* servingOne(driver(), Effect.succeed(HttpServerResponse.text("hi", { statusText: "OK\r\nx-forged: yes" })))
      const raw = yield* RawClient.open(port)
      raw.get("/")
      yield* raw.untilReceived("HTTP/1.1 500")
      assert.notInclude(raw.received, "x-forged")
    }),
  )

  it.effect("limits bodies if MaxBodySize is not set", () =>
    Effect.gen(function* () {
      const { port } = yield* servingOne(driver({ maxBodyBytes: 10 }), readText)
      const raw = yield* RawClient.open(port)
      raw.write("POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 11\r\n\r\n01234567890")
      yield* raw.untilReceived("HTTP/1.1 413")
      raw.write("POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 10\r\n\r\n0123456789")
      yield* raw.untilReceived("0123456789")
    }),
  )

  it.effect("asks a client that sends far too much to close, but lets it read the response", () =>
    Effect.gen(function* () {
      const { port } = yield* servingOne(driver(), readText)
      const raw = yield* RawClient.open(port)
      raw.write("POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 100000000\r\n\r\n")
      raw.write(Buffer.alloc(1_000_000))
      yield* raw.untilReceived("HTTP/1.1 413")
      assert.match(raw.received, /connection: close\r\n/i)
      raw.write(Buffer.alloc(1_000_000))
      yield* eventually("the rest to be taken", () => raw.unsentBytes === 0)
      assert.isFalse(raw.closed)
    }),
  )

  it.effect("buffers only a bounded part of a body until it is read", () =>
    Effect.gen(function* () {
      const proceed = yield* Deferred.make<void>()
      const body = Buffer.alloc(30_000_000, "x")
      const { port } = yield* servingOne(
        driver({ maxBodyBytes: body.length, bodies: { maxBytesPerAddress: 2 * body.length } }),
        Effect.andThen(
          Deferred.await(proceed),
          Effect.map(readText, (response) => HttpServerResponse.setStatus(response, 202)),
        ),
      )
      const raw = yield* RawClient.open(port)
      raw.keep = false
      raw.write(`POST / HTTP/1.1\r\nhost: test\r\ncontent-length: ${body.length}\r\n\r\n`)
      raw.write(body)
      yield* awhile(200)
      assert.isAbove(raw.unsentBytes, body.length / 2)
      yield* Deferred.succeed(proceed, undefined)
      yield* eventually("the echo", () => raw.receivedBytes > body.length)
    }),
  )

  it.effect("answers 500 when a stream fails before its first byte", () =>
    Effect.gen(function* () {
      const { client } = yield* servingOne(driver(), Effect.succeed(HttpServerResponse.stream(Stream.die("broken"))))
      assert.strictEqual((yield* client.get("/")).status, 500)
    }),
  )

  it.live("answers in order requests that arrive while a handler waits, and keeps the connection open", () =>
    Effect.gen(function* () {
      const { port } = yield* servingOne(
        driver(),
        Effect.gen(function* () {
          const { url } = yield* CurrentRequest
          if (url !== "/now") yield* Effect.sleep("100 millis")
          return HttpServerResponse.text(`answer to ${url}.`)
        }),
      )
      const raw = yield* RawClient.open(port)
      for (const path of ["/first", "/now", "/third"]) {
        raw.get(path)
        yield* Effect.sleep("20 millis")
      }
      yield* raw.untilReceived("answer to /third.")
      assert.deepStrictEqual(raw.received.match(/answer to [^.]*/g), ["answer to /first", "answer to /now", "answer to /third"])
      assert.isFalse(raw.closed)
    }),
  )

  it.live("answers a client that has closed its side, with or without a body", () =>
    Effect.gen(function* () {
      const { port } = yield* servingOne(
        driver(),
        Effect.gen(function* () {
          const text = yield* Effect.flatMap(CurrentRequest, (request) => request.text)
          yield* Effect.sleep("100 millis")
          return HttpServerResponse.text(`answer to ${text}.`)
        }),
      )
      for (const body of ["", "hello"]) {
        const raw = yield* RawClient.open(port)
        raw.write(`POST / HTTP/1.1\r\nhost: test\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
        raw.endWriting()
        yield* raw.untilClosed
        assert.include(raw.received, `answer to ${body}.`)
      }
    }),
  )

  it.effect("answers HTTP/1.0 with 505", () =>
    Effect.gen(function* () {
      const { port } = yield* servingOne(driver(), Effect.succeed(HttpServerResponse.text("never")))
      const raw = yield* RawClient.open(port)
      raw.write("GET / HTTP/1.0\r\nhost: test\r\n\r\n")
      yield* raw.untilClosed
      assert.match(raw.received, /^HTTP\/1.1 505 /)
    }),
  )

  it.effect("closes a connection if a second request arrives in the same packet while the handler waits", () =>
    Effect.gen(function* () {
      const { port } = yield* servingOne(driver(), Effect.never)
      const raw = yield* RawClient.open(port)
      raw.write("GET /a HTTP/1.1\r\nhost: test\r\n\r\nGET /b HTTP/1.1\r\nhost: test\r\n\r\n")
      yield* raw.untilClosed
      assert.strictEqual(raw.received, "")
    }),
  )

  it.effect("fails with a ServeError if the port is taken or the host is unknown", () =>
    Effect.gen(function* () {
      const { port } = yield* servingOne(driver(), Effect.never)
      for (const options of [{ port }, { host: "host.invalid" }, { host: "203.0.113.1" }]) {
        const error = yield* Effect.flip(servingOne(driver(options), Effect.never))
        assert.instanceOf(error, HttpServerError.ServeError)
      }
    }),
  )

  it.effect("resolves host names", () =>
    Effect.gen(function* () {
      const { client } = yield* servingOne(driver({ host: "localhost" }), Effect.succeed(HttpServerResponse.text("hi")))
      assert.strictEqual((yield* client.get("/")).status, 200)
    }),
  )

  it.effect("interrupts unfinished requests when the time limit of a shutdown is over", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const started = yield* Deferred.make<void>()
      let interrupted = false
      const { port } = yield* servingOne(
        driver({ gracefulShutdownTimeout: "100 millis" }),
        Deferred.succeed(started, undefined).pipe(
          Effect.andThen(Effect.never),
          Effect.onInterrupt(() =>
            Effect.sync(() => {
              interrupted = true
            }),
          ),
        ),
      ).pipe(Scope.provide(scope))
      const raw = yield* RawClient.open(port)
      raw.get("/")
      yield* Deferred.await(started)
      const from = performance.now()
      yield* Scope.close(scope, Exit.void)
      assert.isBelow(performance.now() - from, 1_000)
      assert.isTrue(interrupted)
      yield* raw.untilClosed
    }),
  )

  it.effect("answers requests that arrive during a shutdown, and closes their connections", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const started = yield* Deferred.make<void>()
      const proceed = yield* Deferred.make<void>()
      const { port } = yield* servingOne(
        driver(),
        Effect.gen(function* () {
          const request = yield* CurrentRequest
          if (request.url === "/slow") {
            yield* Deferred.succeed(started, undefined)
            yield* Deferred.await(proceed)
          }
          return HttpServerResponse.text(`<${request.url}>`)
        }),
      ).pipe(Scope.provide(scope))
      const slow = yield* RawClient.open(port)
      slow.get("/slow")
      const idle = yield* RawClient.open(port)
      idle.get("/before")
      yield* idle.untilReceived("</before>")
      yield* Deferred.await(started)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* awhile(20)
      idle.get("/during")
      yield* idle.untilReceived("</during>")
      yield* idle.untilClosed
      assert.match(idle.received, /connection: close\r\n/i)
      yield* Deferred.succeed(proceed, undefined)
      yield* slow.untilReceived("</slow>")
      yield* Fiber.join(closing)
    }),
  )

  it.live("delivers each message of a client in a separate turn of the event loop", () =>
    Effect.gen(function* () {
      let turn = 0
      const count = () => {
        turn += 1
        immediate = setImmediate(count)
      }
      let immediate = setImmediate(count)
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          clearImmediate(immediate)
        }),
      )
      const turns: Array<number> = []
      const { port } = yield* servingOne(
        driver(),
        Effect.gen(function* () {
          const { pull } = yield* (yield* (yield* CurrentRequest).upgrade).reader
          return yield* Effect.forever(Effect.tap(pull, (messages) => Effect.sync(() => turns.push(...messages.map(() => turn)))))
        }).pipe(Effect.catchTag("SocketError", () => Effect.succeed(HttpServerResponse.empty()))),
      )
      const client = yield* RawClient.open(port)
      client.get("/", ["upgrade: websocket", "connection: upgrade", "sec-websocket-version: 13", `sec-websocket-key: ${"a".repeat(22)}==`])
      yield* client.untilReceived("HTTP/1.1 101")
      // Twenty empty text messages, masked with zeros, in one packet.
      client.write(Buffer.concat(Array.from({ length: 20 }, () => Buffer.from([0x81, 0x80, 0, 0, 0, 0]))))
      yield* eventually("all messages", () => turns.length === 20)
      assert.strictEqual(new Set(turns).size, 20)
    }),
  )

  it.effect("closes upgraded sockets with 1001 when the server stops", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { port } = yield* servingOne(
        driver(),
        Effect.gen(function* () {
          const request = yield* CurrentRequest
          const socket = yield* request.upgrade
          const { pull } = yield* socket.reader
          yield* pull
          return HttpServerResponse.empty()
        }).pipe(Effect.catchTag("SocketError", () => Effect.succeed(HttpServerResponse.empty()))),
      ).pipe(Scope.provide(scope))
      const client = new WebSocket(`ws://127.0.0.1:${port}/`)
      let open = false
      let code = 0
      client.on("open", () => {
        open = true
      })
      client.on("close", (closeCode) => {
        code = closeCode
      })
      yield* eventually("the handshake", () => open)
      const from = performance.now()
      yield* Scope.close(scope, Exit.void)
      assert.isBelow(performance.now() - from, 500)
      yield* eventually("the close", () => code !== 0)
      assert.strictEqual(code, 1001)
    }),
  )
})
