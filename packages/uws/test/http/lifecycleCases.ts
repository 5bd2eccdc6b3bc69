// Part of the behaviour suite: connections over time. Covers reuse, slow clients and handlers, clients that leave
// early, and the end of the server.
import { assert, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Scope, Stream } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { WebSocket } from "ws"
import { eventually } from "../eventually.ts"
import { RawClient, untilRefused } from "../RawClient.ts"
import { type Driver, servingOne } from "./driver.ts"

const { HttpServerRequest: CurrentRequest } = HttpServerRequest

export const lifecycleCases = (driver: Driver): void => {
  it.effect("serves many requests over one connection, and two that arrive together in order", () =>
    Effect.gen(function* () {
      const { port } = yield* servingOne(
        driver,
        Effect.map(CurrentRequest, (request) => HttpServerResponse.text(`<${request.url}>`)),
      )
      const raw = yield* RawClient.open(port)
      for (let index = 0; index < 50; index++) {
        raw.get(`/${index}`)
        yield* raw.untilReceived(`</${index}>`)
      }
      raw.write("GET /a HTTP/1.1\r\nhost: test\r\n\r\nGET /b HTTP/1.1\r\nhost: test\r\n\r\n")
      yield* raw.untilReceived("</b>")
      assert.isBelow(raw.received.indexOf("</a>"), raw.received.indexOf("</b>"))
    }),
  )

  it.effect("serves several hundred concurrent requests, each with its own response", () =>
    Effect.gen(function* () {
      const { client } = yield* servingOne(
        driver,
        Effect.gen(function* () {
          const request = yield* CurrentRequest
          yield* Effect.yieldNow
          return HttpServerResponse.text(`${request.url} ${yield* request.text}`)
        }),
      )
      const indexes = Array.from({ length: 300 }, (_, index) => index)
      const answers = yield* Effect.forEach(indexes, (index) => Effect.flatMap(client.get(`/${index}`), (response) => response.text), {
        concurrency: 100,
      })
      assert.deepStrictEqual(
        answers,
        indexes.map((index) => `/${index} `),
      )
    }),
  )

  it.effect("closes the connection if the client or the application asks for it", () =>
    Effect.gen(function* () {
      const { port } = yield* servingOne(
        driver,
        Effect.map(CurrentRequest, (request) =>
          request.url === "/application"
            ? HttpServerResponse.text("bye", { headers: { connection: "close" } })
            : HttpServerResponse.text("bye"),
        ),
      )
      const byClient = yield* RawClient.open(port)
      byClient.get("/client", ["connection: close"])
      yield* byClient.untilClosed
      const byApplication = yield* RawClient.open(port)
      byApplication.get("/application")
      yield* byApplication.untilClosed
      for (const { received } of [byClient, byApplication]) assert.include(received, "\r\n\r\nbye")
    }),
  )

  it.effect("interrupts the handler if its client leaves, and marks the interruption as a client abort", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<Exit.Exit<unknown, unknown>>()
      const { port } = yield* servingOne(
        driver,
        Deferred.succeed(started, undefined).pipe(
          Effect.andThen(Effect.never),
          Effect.onExit((exit) => Deferred.succeed(ended, exit)),
        ),
      )
      const raw = yield* RawClient.open(port)
      raw.get("/")
      yield* Deferred.await(started)
      raw.leave()
      const exit = yield* Deferred.await(ended)
      assert.isTrue(Exit.hasInterrupts(exit))
      const reasons = Exit.isFailure(exit) ? exit.cause.reasons : []
      assert.isTrue(reasons.some((reason) => Cause.isInterruptReason(reason) && reason.annotations.has(HttpServerError.ClientAbort.key)))
    }),
  )

  it.effect("interrupts a handler that waits for the rest of a body", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const { port } = yield* servingOne(
        driver,
        Effect.gen(function* () {
          const request = yield* CurrentRequest
          yield* Deferred.succeed(started, undefined)
          return HttpServerResponse.text(yield* request.text)
        }).pipe(Effect.ensuring(Deferred.succeed(ended, undefined))),
      )
      const raw = yield* RawClient.open(port)
      raw.write("POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 100\r\n\r\nhalf")
      yield* Deferred.await(started)
      raw.leave()
      yield* Deferred.await(ended)
    }),
  )

  it.effect("stops producing for a slow reader, completes when it reads, and releases the producer if it leaves", () =>
    Effect.gen(function* () {
      let produced = 0
      let released = 0
      const chunk = new Uint8Array(64 * 1024).fill(120)
      const endless = Stream.fromIterable(Array.from({ length: 1000 }, () => chunk)).pipe(
        Stream.rechunk(1),
        Stream.tap(() =>
          Effect.sync(() => {
            produced++
          }),
        ),
        Stream.ensuring(
          Effect.sync(() => {
            released++
          }),
        ),
      )
      const { port } = yield* servingOne(
        driver,
        Effect.map(CurrentRequest, (request) =>
          HttpServerResponse.stream(endless, request.url === "/sized" ? { contentLength: 1000 * chunk.length } : {}),
        ),
      )
      for (const path of ["/chunked", "/sized"]) {
        produced = 0
        released = 0
        const slow = yield* RawClient.open(port)
        slow.keep = false
        slow.pause()
        slow.get(path)
        yield* settled(() => produced)
        // The kernel accepts a few megabytes of 62.5 in total.
        assert.isBelow(produced, 400, path)
        slow.resume()
        yield* eventually("the whole body", () => slow.receivedBytes > 1000 * chunk.length)
        assert.strictEqual(produced, 1000)
        assert.isBelow(slow.receivedBytes, 1000 * chunk.length + 64 * 1024)

        const leaving = yield* RawClient.open(port)
        leaving.keep = false
        leaving.pause()
        produced = 0
        leaving.get(path)
        yield* settled(() => produced)
        leaving.reset()
        yield* eventually("the release of the producer", () => released === 2)
        assert.isBelow(produced, 400)
      }
    }),
  )

  it.effect("sends a large body to a slow reader intact", () =>
    Effect.gen(function* () {
      const body = Buffer.alloc(20_000_000, "0123456789abcdef")
      const { port } = yield* servingOne(driver, Effect.succeed(HttpServerResponse.uint8Array(body)))
      const slow = yield* RawClient.open(port)
      slow.pause()
      slow.get("/", ["connection: close"])
      yield* settled(() => slow.receivedBytes)
      slow.resume()
      yield* slow.untilClosed
      assert.strictEqual(slow.received.length - slow.received.indexOf("\r\n\r\n") - 4, body.length)
      assert.isTrue(slow.received.endsWith("0123456789abcdef"))
    }),
  )

  it.effect("upgrades to a WebSocket inside a handler", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const { port } = yield* servingOne(
        driver,
        Effect.gen(function* () {
          const request = yield* CurrentRequest
          const socket = yield* request.upgrade
          const { pull } = yield* socket.reader
          const { write } = yield* socket.writer
          return yield* Effect.forever(
            Effect.flatMap(pull, (messages) =>
              Effect.forEach(messages, (message) => write(typeof message === "string" ? `echo ${message}` : message)),
            ),
          )
        }).pipe(
          Effect.catchTag("SocketError", () => Effect.succeed(HttpServerResponse.empty())),
          Effect.ensuring(Deferred.succeed(ended, undefined)),
        ),
      )
      const client = new WebSocket(`ws://127.0.0.1:${port}/`)
      const answers: Array<string> = []
      client.on("message", (data) => answers.push(String(data)))
      client.on("open", () => {
        client.send("one")
        client.send(Buffer.from("two"))
      })
      yield* eventually("both echoes", () => answers.length === 2)
      assert.deepStrictEqual(answers, ["echo one", "two"])
      client.close(1000)
      yield* Deferred.await(ended)
      const plain = yield* RawClient.open(port)
      plain.get("/")
      yield* plain.untilReceived("HTTP/1.1 400")
    }),
  )

  it.effect("drops what a handler writes to a WebSocket whose client has left", () =>
    Effect.gen(function* () {
      const late = yield* Deferred.make<Exit.Exit<void, unknown>>()
      const { port } = yield* servingOne(
        driver,
        Effect.gen(function* () {
          const socket = yield* (yield* CurrentRequest).upgrade
          const { pull } = yield* socket.reader
          const { write } = yield* socket.writer
          yield* Effect.exit(Effect.forever(pull))
          yield* Deferred.succeed(late, yield* Effect.exit(write("late")))
          return HttpServerResponse.empty()
        }).pipe(Effect.catchTag("SocketError", () => Effect.succeed(HttpServerResponse.empty()))),
      )
      const client = new WebSocket(`ws://127.0.0.1:${port}/`)
      client.on("open", () => client.terminate())
      assert.deepStrictEqual(yield* Deferred.await(late), Exit.void)
    }),
  )

  it.effect("lets a running request finish when the server stops, and accepts no new connections", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const started = yield* Deferred.make<void>()
      const proceed = yield* Deferred.make<void>()
      const { port } = yield* servingOne(
        driver,
        Deferred.succeed(started, undefined).pipe(
          Effect.andThen(Deferred.await(proceed)),
          Effect.as(HttpServerResponse.text("finished", { headers: { connection: "close" } })),
        ),
      ).pipe(Scope.provide(scope))
      const raw = yield* RawClient.open(port)
      raw.get("/")
      yield* Deferred.await(started)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* untilRefused(port)
      assert.isUndefined(closing.pollUnsafe())
      yield* Deferred.succeed(proceed, undefined)
      yield* raw.untilReceived("finished")
      yield* Fiber.join(closing)
      yield* raw.untilClosed
    }),
  )
}

/** Waits until the number has not changed for a while. */
const settled = (value: () => number): Effect.Effect<void> => {
  let last = -1
  let since = performance.now()
  return eventually("the number to settle", () => {
    if (value() !== last) {
      last = value()
      since = performance.now()
    }
    return performance.now() - since > 150
  })
}
