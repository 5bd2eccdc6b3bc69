/** Real servers on 127.0.0.1 for tests of the sender, and a sender that may connect to them. */
import { createServer as createHttpServer, type RequestListener } from "node:http"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { assert } from "@effect/vitest"
import { HostNotResolved, HostResolver } from "@matchpoint/webhooks/HostResolver"
import { Effect, Layer } from "effect"
import { type SendOutcome, WebhookSender } from "../src/WebhookSender.ts"
import { WebhookSenderConfig, type WebhookSenderSettings } from "../src/WebhookSenderConfig.ts"
import { cert, key } from "./certificate.ts"

/** A server, its sockets in the order of connection, and the text it has received on all of them. */
export interface TestServer {
  readonly port: number
  readonly url: string
  readonly sockets: ReadonlyArray<Socket>
  readonly received: () => string
}

const listen = (server: Server) =>
  Effect.acquireRelease(
    Effect.callback<TestServer>((resume) => {
      const sockets: Array<Socket> = []
      let received = ""
      server.on("connection", (socket: Socket) => {
        sockets.push(socket)
        socket.on("error", () => {})
        socket.on("data", (bytes) => {
          received += bytes.toString()
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ port, url: `http://127.0.0.1:${port}/`, sockets, received: () => received }))
      })
    }),
    ({ sockets }) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      }),
  )

/** Starts a TCP server. `onRequest` is called once per complete request with a length, or per chunk that is not HTTP. */
export const rawServer = (onRequest: (socket: Socket) => void) =>
  listen(
    createServer((socket) => {
      let unread = ""
      socket.on("data", (bytes) => {
        unread += bytes.toString("latin1")
        const bodyAt = unread.indexOf("\r\n\r\n") + 4
        const length = Number(/content-length: (\d+)/.exec(unread)?.[1] ?? 0)
        if (unread.startsWith("POST ") && (bodyAt < 4 || unread.length < bodyAt + length)) return
        unread = ""
        onRequest(socket)
      })
    }),
  )

/** Waits until the socket is closed, whatever the reason. */
export const closed = (socket: Socket | undefined) =>
  Effect.callback<void>((resume) => {
    if (socket === undefined || socket.closed) resume(Effect.void)
    else socket.once("close", () => resume(Effect.void))
  })

/** Starts a TCP server that answers each request with this text. */
export const textServer = (text: string, end = false) => rawServer((socket) => (end ? socket.end(text) : socket.write(text)))

export const httpServer = (listener: RequestListener) => listen(createHttpServer(listener))

/** Starts a TLS server with the certificate of receiver.test that answers each request with 204. */
export const tlsServer = () =>
  listen(
    createTlsServer({ cert, key }, (socket) => {
      socket.on("error", () => {})
      socket.on("data", () => socket.write("HTTP/1.1 204 No Content\r\n\r\n"))
    }),
  )

/** Resolver with fixed answers per name: each lookup takes the next one, and the last one repeats. */
export const fixedResolver = (names: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>>) => {
  const calls: Record<string, number> = {}
  return HostResolver.of({
    resolve: (hostname) => {
      const answers = names[hostname]
      if (answers === undefined) return Effect.fail(new HostNotResolved({ hostname, cause: new Error("unknown name") }))
      const call = calls[hostname] ?? 0
      calls[hostname] = call + 1
      const answer = answers[Math.min(call, answers.length - 1)] ?? []
      return Effect.succeed(answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })))
    },
  })
}

export const testSettings: WebhookSenderSettings = {
  allowedNetworks: ["loopback"],
  allowHttp: true,
  lookupTimeoutMs: 60,
  connectTimeoutMs: 4_000,
  attemptTimeoutMs: 5_000,
  maxBodyBytes: 64 * 1024,
  maxHeaderBytes: 16 * 1024,
  connectionsPerOrigin: 4,
  idleTimeoutMs: 4_000,
  trustedCertificates: [],
}

export const senderLayer = (settings: Partial<WebhookSenderSettings> = {}, resolver = fixedResolver({})) =>
  WebhookSender.layer.pipe(
    Layer.provide(Layer.succeed(HostResolver, resolver)),
    Layer.provide(Layer.succeed(WebhookSenderConfig, { ...testSettings, ...settings })),
  )

/** Sends a small request. */
export const post = (url: string, headers: Readonly<Record<string, string>> = {}, body: string | Uint8Array = '{"a":1}') =>
  Effect.flatMap(WebhookSender, (sender) => sender.send({ url, headers, body }))

/** A complete response with the body "ok". */
export const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"

/** Returns the outcome as an answer. Fails the test if it is none. */
export const answeredOf = (outcome: SendOutcome) => {
  if (outcome._tag === "Failed") return assert.fail(`${outcome.reason}: ${outcome.message}`)
  return outcome
}

/** Asserts that the send failed for this reason, with a message that reveals nothing internal. */
export const assertFailed = (outcome: SendOutcome, reason: string) => {
  if (outcome._tag === "Answered") return assert.fail(`status ${outcome.status}`)
  assert.strictEqual(outcome.reason, reason, outcome.message)
  assert.notMatch(outcome.message, /\d+\.\d+\.\d+|::|localhost|\n| at /)
}
