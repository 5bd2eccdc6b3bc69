/** The sender's choice of addresses, and TLS. */
import { assert, describe, it } from "@effect/vitest"
import { HostResolver } from "@matchpoint/webhooks/HostResolver"
import { Effect, Layer } from "effect"
import { cert } from "./certificate.ts"
import { answeredOf, assertFailed, closed, fixedResolver, OK, post, rawServer, senderLayer, textServer, tlsServer } from "./testServers.ts"

describe("TLS", () => {
  const names = { "receiver.test": [["127.0.0.1"]], "other.test": [["127.0.0.1"]] }

  it.live("sends to a server whose certificate has the name of the URL", () =>
    Effect.gen(function* () {
      const server = yield* tlsServer()
      assert.strictEqual(answeredOf(yield* post(`https://receiver.test:${server.port}/`)).status, 204)
      assertFailed(yield* post(`https://other.test:${server.port}/`), "tls")
    }).pipe(Effect.provide(senderLayer({ trustedCertificates: [cert] }, fixedResolver(names)))),
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
    }).pipe(Effect.provide(senderLayer({}, fixedResolver(names)))),
  )

  it.live("times out if the handshake does not end", () =>
    Effect.gen(function* () {
      const server = yield* rawServer(() => {})
      assertFailed(yield* post(`https://receiver.test:${server.port}/`), "timeout")
      yield* closed(server.sockets[0])
    }).pipe(Effect.provide(senderLayer({ connectTimeoutMs: 50 }, fixedResolver(names)))),
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
    }).pipe(Effect.provide(senderLayer({}, resolver)))
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

  it.live.each(["127.0.0.9", "10.0.0.1", "fd00:ec2::254", "fe80::1%1", "::ffff:127.0.0.9"])(
    "rejects a name if one of its addresses is rejected: %s",
    (rejected) =>
      Effect.gen(function* () {
        const server = yield* textServer(OK)
        const resolver = fixedResolver({
          "mixed.test": [
            ["127.0.0.1", rejected],
            [rejected, "127.0.0.1"],
          ],
        })
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
