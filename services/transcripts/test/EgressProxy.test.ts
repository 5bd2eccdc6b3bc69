import { createServer, request as httpRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { makeAddressPolicy } from "@matchpoint/webhooks/addressPolicy"
import { Effect, type Scope } from "effect"
import { type Egress, EgressResolver, startEgress } from "../src/download/EgressProxy.ts"
import { text, videoSite } from "./videoSite.ts"

const start = (given: { readonly maxBytes?: number; readonly names?: Readonly<Record<string, ReadonlyArray<string>>> } = {}) =>
  Effect.gen(function* () {
    const policy = yield* Effect.fromResult(makeAddressPolicy({ allowedNetworks: ["loopback"], allowHttp: true }))
    return yield* startEgress({ policy, maxBytes: given.maxBytes ?? 1_000_000 })
  }).pipe(Effect.provideService(EgressResolver, async (name) => given.names?.[name] ?? []))

interface Answer {
  readonly status: number
  /** Bytes of the body, or null if the connection was cut. */
  readonly bytes: number | null
}

/** Sends a request through the proxy, as plain HTTP. */
const get = (proxy: string, url: string) =>
  Effect.callback<Answer>((resume) => {
    const { hostname, password, port, username } = new URL(proxy)
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`
    const request = httpRequest({ hostname, port, path: url, headers: { host: new URL(url).host, "proxy-authorization": authorization } })
    request.on("response", (response) => {
      let bytes = 0
      const status = response.statusCode ?? 0
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on("end", () => resume(Effect.succeed({ status, bytes })))
      response.on("error", () => resume(Effect.succeed({ status, bytes: null })))
    })
    request.on("error", () => resume(Effect.succeed({ status: 0, bytes: null })))
    request.end()
  })

/** Opens a tunnel. Returns the status of the proxy, and what the other end sends after `send`. */
const tunnel = (proxy: string, target: string, send = "") =>
  Effect.callback<{ readonly status: number; readonly received: string }>((resume) => {
    const { hostname, password, port, username } = new URL(proxy)
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`
    const request = httpRequest({ hostname, port, method: "CONNECT", path: target, headers: { "proxy-authorization": authorization } })
    request.on("connect", (response, socket) => {
      const status = response.statusCode ?? 0
      let received = ""
      socket.on("data", (chunk: Buffer) => {
        received += chunk.toString("latin1")
      })
      socket.on("error", () => {})
      socket.on("close", () => resume(Effect.succeed({ status, received })))
      socket.end(send)
    })
    request.on("error", () => resume(Effect.succeed({ status: 0, received: "" })))
    request.end()
  })

const site = Effect.fnUntraced(function* () {
  const routes = { "/page": text("text/plain", "hello"), "/large": text("text/plain", "x".repeat(2_000_000)) }
  return yield* videoSite("/nonexistent", routes)
})

const test = <E>(name: string, body: Effect.Effect<void, E, Scope.Scope>) => it.live(name, () => Effect.scoped(Effect.orDie(body)))

describe("EgressProxy", () => {
  test(
    "forwards requests and tunnels to permitted addresses",
    Effect.gen(function* () {
      const { origin, requests } = yield* site()
      const { refused, url } = yield* start()
      assert.deepStrictEqual(yield* get(url, `${origin}/page`), { status: 200, bytes: 5 })
      const host = new URL(origin).host
      const tunneled = yield* tunnel(url, host, `GET /page HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
      assert.strictEqual(tunneled.status, 200)
      assert.match(tunneled.received, /hello$/)
      assert.deepStrictEqual(requests, ["/page", "/page"])
      assert.isUndefined(refused())
    }),
  )

  test(
    "requires the password of the job",
    Effect.gen(function* () {
      const { origin, requests } = yield* site()
      const { url } = yield* start()
      const other = new URL(url)
      other.password = "x".repeat(other.password.length)
      assert.strictEqual((yield* get(other.href, `${origin}/page`)).status, 407)
      assert.strictEqual((yield* tunnel(other.href, new URL(origin).host)).status, 407)
      assert.deepStrictEqual(requests, [])
    }),
  )

  const internal = [
    "http://169.254.169.254/latest/meta-data",
    "http://10.0.0.1/",
    "http://[fd00::1]/",
    "http://0x0a000001/",
    "http://192.168.1.1:8080/",
    "http://127.0.0.1:6379/",
    "http://127.0.0.1:22/",
    "http://metadata.google.internal/",
    "http://rebinding.example/",
    "http://mixed.example/",
    "http://unknown.example/",
    "ftp://127.0.0.1/",
  ]
  const names = { "rebinding.example": ["10.0.0.1"], "mixed.example": ["127.0.0.1", "10.0.0.1"] }
  for (const address of internal) {
    test(
      `refuses ${address}`,
      Effect.gen(function* () {
        const { refused, url } = yield* start({ names })
        assert.strictEqual((yield* get(url, address)).status, 403)
        assert.isString(refused())
        if (address.startsWith("http:")) {
          const { host, port } = new URL(address)
          assert.strictEqual((yield* tunnel(url, port === "" ? `${host}:443` : host)).status, 403)
        }
      }),
    )
  }

  test(
    "connects to the address that was checked, with the name as host",
    Effect.gen(function* () {
      const seen: Array<string | undefined> = []
      const server = createServer((request, response) => {
        seen.push(request.headers.host)
        response.end("ok")
      })
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.sync(() => server.close()),
      )
      const { port } = server.address() as AddressInfo
      const { url } = yield* start({ names: { "video.example": ["127.0.0.1"] } })
      assert.strictEqual((yield* get(url, `http://video.example:${port}/`)).status, 200)
      assert.deepStrictEqual(seen, [`video.example:${port}`])
    }),
  )

  test(
    "ends all connections at the limit of bytes, and refuses new ones",
    Effect.gen(function* () {
      const { origin } = yield* site()
      const egress: Egress = yield* start({ maxBytes: 500_000 })
      assert.isNull((yield* get(egress.url, `${origin}/large`)).bytes)
      assert.isTrue(egress.isExhausted())
      assert.strictEqual((yield* get(egress.url, `${origin}/page`)).status, 403)
    }),
  )

  test(
    "does not pass the password on",
    Effect.gen(function* () {
      let headers: ReadonlyArray<string> = []
      const routes = {
        "/": (request: { readonly rawHeaders: ReadonlyArray<string> }, response: { readonly end: () => unknown }) => {
          headers = request.rawHeaders
          response.end()
        },
      }
      const { origin } = yield* videoSite("/nonexistent", routes)
      const { url } = yield* start()
      yield* get(url, `${origin}/`)
      assert.notInclude(headers.join(" ").toLowerCase(), "proxy")
      assert.isNotEmpty(headers)
    }),
  )
})
