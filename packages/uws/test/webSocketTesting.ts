// Fixtures of the WebSocket tests: a server with one route, and a client that records all events.
import { Effect } from "effect"
import { WebSocket } from "ws"
import type { UpgradeRequest } from "../src/UpgradeRequest.ts"
import { UwsServer, type UwsServerOptions } from "../src/UwsServer.ts"
import { accept } from "../src/Verdict.ts"
import type { WebSocketHandler } from "../src/WebSocketRoute.ts"
import { eventually } from "./eventually.ts"

export const admitAll = (_request: UpgradeRequest) => Effect.succeed(accept("anybody"))

/** Starts a server with this route for the rest of the test. */
export const serving = <Data>(path: string, handler: WebSocketHandler<Data>, options: Partial<UwsServerOptions> = {}) =>
  Effect.gen(function* () {
    const server = yield* UwsServer.make({ port: 0, host: "127.0.0.1", ...options })
    yield* server.websocket(path, handler)
    return { server, port: server.address.port, url: `ws://127.0.0.1:${server.address.port}` }
  })

/** A client that records all events. */
export class Client {
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
    // Errors show in the close event, which the tests check.
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

/** Headers that make a GET request a WebSocket handshake. */
export const handshake = [
  "upgrade: websocket",
  "connection: upgrade",
  "sec-websocket-version: 13",
  "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
]
