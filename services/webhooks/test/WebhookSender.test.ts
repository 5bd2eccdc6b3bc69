import type { Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { assert, describe, it, vi } from "@effect/vitest"
import { eventually } from "@matchpoint/testing/realTime"
import { Effect, Fiber } from "effect"
import { answeredOf, assertFailed, closed, httpServer, OK, post, rawServer, senderLayer, textServer } from "./testServers.ts"

describe("requests", () => {
  it.live("sends a POST with its headers, and reports the answer", () =>
    Effect.gen(function* () {
      const server = yield* textServer("HTTP/1.1 202 Accepted\r\nretry-after: 7\r\ncontent-length: 5\r\n\r\nhello")
      const headers = { "content-type": "application/json", "webhook-id": "msg_1", Host: "evil", "User-Agent": "other", cookie: "a=b" }
      const outcome = answeredOf(yield* post(`${server.url}hooks?team=1`, headers, Buffer.from('{"ü":1}')))
      assert.deepInclude(outcome, { status: 202, retryAfterSeconds: 7, excerpt: "hello" })
      assert.isAtLeast(outcome.durationMs, 0)
      const [head = "", body] = server.received().split("\r\n\r\n")
      assert.strictEqual(body, '{"ü":1}')
      const lines = head.split("\r\n")
      assert.strictEqual(lines[0], "POST /hooks?team=1 HTTP/1.1")
      assert.sameMembers(lines.slice(1), [
        `host: 127.0.0.1:${server.port}`,
        "connection: keep-alive",
        "user-agent: Matchpoint-Webhooks/1",
        "content-type: application/json",
        "webhook-id: msg_1",
        "content-length: 8",
      ])
    }).pipe(Effect.provide(senderLayer())),
  )

  it.live("reuses a connection, and bounds the connections per origin", () =>
    Effect.gen(function* () {
      const server = yield* httpServer((_request, response) => setTimeout(() => response.end("ok"), 2))
      // A connection is free one turn of the event loop after its response.
      for (let count = 0; count < 5; count++) yield* Effect.andThen(post(server.url), Effect.sleep(2))
      assert.lengthOf(server.sockets, 1)
      const outcomes = yield* Effect.all(
        Array.from({ length: 20 }, () => post(server.url)),
        { concurrency: "unbounded" },
      )
      assert.isTrue(outcomes.every((outcome) => answeredOf(outcome).status === 200))
      assert.lengthOf(server.sockets, 4)
    }).pipe(Effect.provide(senderLayer())),
  )

  it.live("closes an idle connection, and connects again for the next request", () =>
    Effect.gen(function* () {
      const server = yield* textServer(OK)
      yield* post(server.url)
      yield* closed(server.sockets[0])
      assert.strictEqual(answeredOf(yield* post(server.url)).status, 200)
      assert.lengthOf(server.sockets, 2)
    }).pipe(Effect.provide(senderLayer({ idleTimeoutMs: 20 }))),
  )

  it.live("does not follow a redirect", () =>
    Effect.gen(function* () {
      const internal = yield* textServer(OK)
      const server = yield* textServer(`HTTP/1.1 307 Redirect\r\nlocation: ${internal.url}\r\ncontent-length: 0\r\n\r\n`)
      assert.strictEqual(answeredOf(yield* post(server.url)).status, 307)
      assert.lengthOf(internal.sockets, 0)
    }).pipe(Effect.provide(senderLayer())),
  )

  it.live("ignores proxy variables of the environment", () =>
    Effect.gen(function* () {
      const proxy = yield* textServer(OK)
      const server = yield* textServer("HTTP/1.1 204 No Content\r\n\r\n")
      vi.stubEnv("HTTP_PROXY", proxy.url)
      const outcome = yield* Effect.ensuring(
        post(server.url).pipe(Effect.provide(senderLayer())),
        Effect.sync(() => vi.unstubAllEnvs()),
      )
      assert.strictEqual(answeredOf(outcome).status, 204)
      assert.lengthOf(proxy.sockets, 0)
    }),
  )

  it.live("treats an invalid header as a defect, and other requests still work", () =>
    Effect.gen(function* () {
      const server = yield* textServer(OK)
      const exit = yield* Effect.exit(post(server.url, { "x-a": "b\r\nx-c: d" }))
      assert.strictEqual(exit._tag, "Failure")
      assert.strictEqual(answeredOf(yield* post(server.url)).status, 200)
      assert.notInclude(server.received(), "x-c")
    }).pipe(Effect.provide(senderLayer())),
  )
})

describe("slow and broken receivers", () => {
  it.live("times out if no headers arrive, and closes the connection", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.write("HTTP/1.1 200 OK\r\n"))
      const outcome = yield* post(server.url)
      assertFailed(outcome, "timeout")
      assert.isAtLeast(outcome.durationMs, 75)
      assert.isBelow(outcome.durationMs, 2_000)
      yield* closed(server.sockets[0])
    }).pipe(Effect.provide(senderLayer({ attemptTimeoutMs: 80 }))),
  )

  it.live("does not send a request that was interrupted while it waited for a connection", () =>
    Effect.gen(function* () {
      const waiting: Array<Socket> = []
      const server = yield* rawServer((socket) => waiting.push(socket))
      const first = yield* Effect.forkChild(post(server.url))
      yield* eventually(Effect.sync(() => waiting.length === 1))
      const second = yield* Effect.forkChild(post(`${server.url}second`))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(second)
      const third = yield* Effect.forkChild(post(`${server.url}third`))
      waiting[0]?.write(OK)
      assert.strictEqual(answeredOf(yield* Fiber.join(first)).status, 200)
      yield* eventually(Effect.sync(() => waiting.length === 2))
      waiting[1]?.write(OK)
      assert.strictEqual(answeredOf(yield* Fiber.join(third)).status, 200)
      assert.notInclude(server.received(), "second")
    }).pipe(Effect.provide(senderLayer({ connectionsPerOrigin: 1 }))),
  )

  it.live("takes the status of a body that drips too slowly", () =>
    Effect.gen(function* () {
      const server = yield* httpServer((_request, response) => {
        response.writeHead(200, { "content-length": 1_000 })
        const timer = setInterval(() => response.write("a"), 10)
        response.on("close", () => clearInterval(timer))
      })
      const outcome = answeredOf(yield* post(server.url))
      assert.strictEqual(outcome.status, 200)
      assert.match(outcome.excerpt, /^a+$/)
      assert.isBelow(outcome.durationMs, 2_000)
    }).pipe(Effect.provide(senderLayer({ attemptTimeoutMs: 250 }))),
  )

  it.live("stops reading an endless body, and closes the connection", () =>
    Effect.gen(function* () {
      const server = yield* httpServer((_request, response) => {
        const more = () => {
          while (!response.destroyed && response.write("b".repeat(16_384)));
        }
        response.on("drain", more)
        more()
      })
      const outcome = answeredOf(yield* post(server.url))
      assert.strictEqual(outcome.status, 200)
      assert.strictEqual(outcome.excerpt, "b".repeat(1_024))
      assert.isBelow(outcome.durationMs, 3_000)
      yield* closed(server.sockets[0])
    }).pipe(Effect.provide(senderLayer())),
  )

  const fails: ReadonlyArray<readonly [title: string, reason: string, answer: string]> = [
    ["headers that are too large", "response_too_large", `HTTP/1.1 200 OK\r\nx-a: ${"a".repeat(17_000)}\r\n\r\n`],
    ["too many headers", "response_too_large", `HTTP/1.1 200 OK\r\n${"x-abcdefg: 1\r\n".repeat(2_000)}\r\n`],
    ["garbage", "invalid_response", "SSH-2.0-OpenSSH_9.6\r\n"],
    ["binary garbage", "invalid_response", "\u0015\u0003\u0001\0\u0002\u0002"],
    ["conflicting lengths", "invalid_response", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
    ["an upgrade", "invalid_response", "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"],
    ["an unexpected 100", "invalid_response", "HTTP/1.1 100 Continue\r\n\r\n"],
  ]
  it.live.each(fails)("rejects %s: %s", ([_title, reason, answer]) =>
    Effect.gen(function* () {
      const server = yield* textServer(answer, true)
      assertFailed(yield* post(server.url), reason)
    }).pipe(Effect.provide(senderLayer())),
  )

  const answers: ReadonlyArray<readonly [title: string, excerpt: string, answer: string]> = [
    ["a declared length that is too long", "abc", "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nabc"],
    ["a declared length that is too short", "ab", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nabcdef"],
    ["a body without a length", "abc", "HTTP/1.1 200 OK\r\n\r\nabc"],
    ["malformed chunks", "", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"],
    ["early hints", "ok", `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${OK}`],
    ["two responses", "ok", OK + OK],
  ]
  it.live.each(answers)("takes the status of a response with %s", ([_title, excerpt, answer]) =>
    Effect.gen(function* () {
      const server = yield* textServer(answer, true)
      assert.deepInclude(answeredOf(yield* post(server.url)), { status: 200, excerpt })
      // The agent still works, and does not mix up responses.
      assert.deepInclude(answeredOf(yield* post(server.url)), { status: 200, excerpt })
      assert.lengthOf(server.sockets, 2)
    }).pipe(Effect.provide(senderLayer())),
  )

  it.live("reports a connection that is reset, closed or refused", () =>
    Effect.gen(function* () {
      const resets = yield* rawServer((socket) => socket.resetAndDestroy())
      assertFailed(yield* post(resets.url), "reset")
      const closes = yield* rawServer((socket) => socket.end())
      assertFailed(yield* post(closes.url), "reset")
      const { url } = yield* Effect.scoped(textServer(OK))
      assertFailed(yield* post(url), "connect")
    }).pipe(Effect.provide(senderLayer())),
  )

  it.live("does not decode a compressed body", () =>
    Effect.gen(function* () {
      const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))
      const server = yield* httpServer((_request, response) => {
        response.writeHead(200, { "content-encoding": "gzip" })
        response.end(bomb)
      })
      const outcome = answeredOf(yield* post(server.url))
      assert.deepInclude(outcome, { status: 200, excerpt: "" })
    }).pipe(Effect.provide(senderLayer())),
  )

  it.live("closes the connection if the send is interrupted", () =>
    Effect.gen(function* () {
      let arrived = () => {}
      const request = new Promise<void>((resolve) => {
        arrived = resolve
      })
      const server = yield* rawServer(() => arrived())
      const sending = yield* Effect.forkChild(post(server.url))
      yield* Effect.promise(() => request)
      yield* Fiber.interrupt(sending)
      yield* closed(server.sockets[0])
    }).pipe(Effect.provide(senderLayer())),
  )
})
