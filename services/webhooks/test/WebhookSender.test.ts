import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { HostResolver } from "../src/HostResolver.ts"
import type { SendOutcome } from "../src/WebhookSender.ts"
import { cert } from "./certificate.ts"
import { closed, fixedResolver, httpServer, post, rawServer, senderLayer, textServer, tlsServer } from "./testServers.ts"

const answeredOf = (outcome: SendOutcome) => {
  if (outcome._tag === "Failed") return assert.fail(`${outcome.reason}: ${outcome.message}`)
  return outcome
}

const assertFailed = (outcome: SendOutcome, reason: string) => {
  if (outcome._tag === "Answered") return assert.fail(`status ${outcome.status}`)
  assert.strictEqual(outcome.reason, reason, outcome.message)
  assert.notMatch(outcome.message, /\d+\.\d+\.\d+|::|localhost|\n| at /)
}

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"

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
    }).pipe(Effect.provide(senderLayer({ attemptTimeoutMs: 2_000 }))),
  )

  it.live("closes an idle connection, and connects again for the next request", () =>
    Effect.gen(function* () {
      const server = yield* textServer(OK)
      yield* post(server.url)
      const [first] = server.sockets
      yield* closed(first)
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
      const before = process.env["HTTP_PROXY"]
      process.env["HTTP_PROXY"] = proxy.url
      const outcome = yield* Effect.ensuring(
        post(server.url).pipe(Effect.provide(senderLayer())),
        Effect.sync(() => {
          if (before === undefined) delete process.env["HTTP_PROXY"]
          else process.env["HTTP_PROXY"] = before
        }),
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
      assert.isAtLeast(outcome.durationMs, 95)
      assert.isBelow(outcome.durationMs, 1_000)
      const [socket] = server.sockets
      yield* closed(socket)
    }).pipe(Effect.provide(senderLayer())),
  )

  it.live("does not send a request that timed out while it waited for a connection", () =>
    Effect.gen(function* () {
      let requests = 0
      const server = yield* rawServer(() => requests++)
      const outcomes = yield* Effect.all([post(server.url), post(server.url)], { concurrency: 2 })
      for (const outcome of outcomes) assertFailed(outcome, "timeout")
      yield* Effect.sleep(20)
      assert.strictEqual(requests, 1)
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
      assert.isBelow(outcome.durationMs, 1_000)
    }).pipe(Effect.provide(senderLayer())),
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
      assert.isBelow(outcome.durationMs, 1_000)
      const [socket] = server.sockets
      yield* closed(socket)
    }).pipe(Effect.provide(senderLayer({ attemptTimeoutMs: 5_000 }))),
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
    }).pipe(Effect.provide(senderLayer({ attemptTimeoutMs: 2_000 }))),
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
      const [socket] = server.sockets
      yield* Fiber.interrupt(sending)
      yield* closed(socket)
    }).pipe(Effect.provide(senderLayer({ attemptTimeoutMs: 10_000 }))),
  )
})

describe("TLS", () => {
  const names = { "receiver.test": [["127.0.0.1"]], "other.test": [["127.0.0.1"]] }

  it.live("sends to a server whose certificate has the name of the URL", () =>
    Effect.gen(function* () {
      const server = yield* tlsServer()
      assert.strictEqual(answeredOf(yield* post(`https://receiver.test:${server.port}/`)).status, 204)
      assertFailed(yield* post(`https://other.test:${server.port}/`), "tls")
    }).pipe(
      Effect.provide(senderLayer({ trustedCertificates: [cert], attemptTimeoutMs: 2_000, connectTimeoutMs: 1_000 }, fixedResolver(names))),
    ),
  )

  it.live("rejects an untrusted certificate, and a server without TLS", () =>
    Effect.gen(function* () {
      const server = yield* tlsServer()
      const outcome = yield* post(`https://receiver.test:${server.port}/`)
      assertFailed(outcome, "tls")
      assert.include(JSON.stringify(outcome), "DEPTH_ZERO_SELF_SIGNED_CERT")
      const plain = yield* textServer(OK)
      assertFailed(yield* post(`https://receiver.test:${plain.port}/`), "tls")
      const closing = yield* rawServer((socket) => socket.destroy())
      assertFailed(yield* post(`https://receiver.test:${closing.port}/`), "tls")
      const silent = yield* rawServer(() => {})
      assertFailed(yield* post(`https://receiver.test:${silent.port}/`), "timeout")
    }).pipe(Effect.provide(senderLayer({ attemptTimeoutMs: 2_000 }, fixedResolver(names)))),
  )
})

describe("addresses", () => {
  const PUBLIC = "203.0.113.80"
  /** Documentation addresses stand for public ones. No connection to them succeeds. */
  const policy = { allowedNetworks: ["203.0.113.0/24", "loopback"], blockedAddresses: ["127.0.0.9"] }

  it.live("rejects URLs without a request", () =>
    Effect.gen(function* () {
      assertFailed(yield* post("http://10.0.0.1/"), "blocked_address")
      assertFailed(yield* post("http://[::ffff:169.254.169.254]/"), "blocked_address")
      assertFailed(yield* post("http://receiver.internal/"), "blocked_address")
      assertFailed(yield* post("ftp://example.com/"), "invalid_url")
      assertFailed(yield* post("not a url"), "invalid_url")
    }).pipe(Effect.provide(senderLayer())),
  )

  it.live("reports a name that is unknown, has no address, or resolves too slowly", () => {
    const resolver = HostResolver.of({
      resolve: (name) => (name === "slow.test" ? Effect.never : fixedResolver({ "empty.test": [[]] }).resolve(name)),
    })
    return Effect.gen(function* () {
      for (const name of ["unknown.test", "empty.test", "slow.test"]) assertFailed(yield* post(`http://${name}/`), "dns")
    }).pipe(Effect.provide(senderLayer({ attemptTimeoutMs: 1_000, connectTimeoutMs: 500 }, resolver)))
  })

  it.live("connects to an address that was checked, with one lookup per connection", () => {
    // If the name were resolved a second time, the request would reach the blocked address.
    const resolver = fixedResolver({ "rebind.test": [["127.0.0.1"], ["127.0.0.9"]] })
    return Effect.gen(function* () {
      const server = yield* textServer("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
      assert.strictEqual(answeredOf(yield* post(`http://rebind.test:${server.port}/`)).status, 200)
      assert.include(server.received(), `host: rebind.test:${server.port}`)
      assertFailed(yield* post(`http://rebind.test:${server.port}/`), "blocked_address")
      assert.lengthOf(server.sockets, 1)
    }).pipe(Effect.provide(senderLayer(policy, resolver)))
  })

  it.live("rejects a name that later resolves to an internal address", () =>
    Effect.gen(function* () {
      const server = yield* textServer(OK)
      const resolver = fixedResolver({ "rebind.test": [[PUBLIC], ["127.0.0.1"]] })
      const layer = senderLayer({ allowedNetworks: ["203.0.113.0/24"], connectTimeoutMs: 30 }, resolver)
      yield* Effect.gen(function* () {
        const first = yield* post(`http://rebind.test:${server.port}/`)
        assert.strictEqual(first._tag, "Failed")
        assertFailed(yield* post(`http://rebind.test:${server.port}/`), "blocked_address")
      }).pipe(Effect.provide(layer))
      assert.lengthOf(server.sockets, 0)
    }),
  )

  it.live.each([[["127.0.0.1", "127.0.0.9"]], [["127.0.0.1", "10.0.0.1"]], [["127.0.0.1", "fd00:ec2::254"]], [["127.0.0.1", "fe80::1%1"]]])(
    "rejects a name if one of its addresses is rejected: %j",
    ([addresses]) =>
      Effect.gen(function* () {
        const server = yield* textServer(OK)
        const resolver = fixedResolver({ "mixed.test": [addresses, addresses.toReversed()] })
        yield* Effect.gen(function* () {
          for (let attempt = 0; attempt < 2; attempt++) assertFailed(yield* post(`http://mixed.test:${server.port}/`), "blocked_address")
        }).pipe(Effect.provide(senderLayer(policy, resolver)))
        assert.lengthOf(server.sockets, 0)
      }),
  )

  it.live("fails to start with a malformed network", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Layer.build(senderLayer({ allowedNetworks: ["10.0.0.0/40"] })))
      assert.strictEqual(error._tag, "InvalidNetwork")
    }),
  )
})
