/** The model server behind real sockets: WebSocket by npm `ws`, SSE and some REST by node:http. Faults are methods. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { parseCursor } from "@matchpoint/contracts/stream/cursors"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { ALL } from "@matchpoint/contracts/stream/rooms"
import { Effect } from "effect"
import { type WebSocket, WebSocketServer } from "ws"
import { ModelServer } from "./follow/ModelServer.ts"

export const KEY = "mp_test"

interface Refusal {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly error?: { readonly code: string; readonly message: string; readonly details?: object }
}

interface Account {
  readonly plan: string
  readonly addOns: ReadonlyArray<string>
  readonly quota: number
  readonly remaining: number
  readonly period: { readonly endsAt: string }
  readonly limits: { readonly features: ReadonlyArray<string> }
}

const eventNames: Readonly<Record<string, string>> = { heartbeat: "ping" }

export class LiveTestServer {
  readonly model: ModelServer
  readonly requests: Array<{ readonly path: string; readonly headers: IncomingMessage["headers"] }> = []
  /** Answers to the next requests, before the regular one. */
  readonly refusals: Array<Refusal> = []
  /** Answer of `GET /usage`. */
  account: Account = {
    plan: "scale",
    addOns: [],
    quota: 1_000,
    remaining: 999,
    period: { endsAt: "2100-01-01T00:00:00.000Z" },
    limits: { features: ["live-websockets"] },
  }
  url = ""
  readonly #http = createServer((request, response) => this.#answer(request, response))
  readonly #webSockets = new WebSocketServer({ noServer: true })
  readonly #raw = new Set<Socket>()
  #socket: WebSocket | undefined
  #stream: ServerResponse | undefined

  constructor(shape: Shape) {
    this.model = new ModelServer(shape, false, 7)
    this.#http.on("connection", (socket) => {
      this.#raw.add(socket)
      socket.on("close", () => this.#raw.delete(socket))
    })
    this.#http.on("upgrade", (request, socket, head) => {
      this.#note(request)
      const status = this.#refusal(request)?.status
      if (status !== undefined) {
        socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
        return
      }
      this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        this.#socket = webSocket
        this.model.connect()
        webSocket.on("message", (data) => {
          this.model.receive(JSON.parse(String(data)))
          this.flush()
        })
        webSocket.on("close", () => {
          if (this.#socket !== webSocket) return
          this.#socket = undefined
          this.model.disconnect()
        })
        this.flush()
      })
    })
  }

  static readonly start = (shape: Shape) =>
    Effect.acquireRelease(
      Effect.callback<LiveTestServer>((resume) => {
        const server = new LiveTestServer(shape)
        server.#http.listen(0, "127.0.0.1", () => {
          server.url = `http://127.0.0.1:${(server.#http.address() as AddressInfo).port}`
          resume(Effect.succeed(server))
        })
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          server.cut()
          server.#http.close(() => resume(Effect.void))
        }),
    )

  get isFollowed(): boolean {
    return this.#socket !== undefined || this.#stream !== undefined
  }

  /** Sends the messages of the model. */
  flush(): void {
    for (const message of this.model.wire.splice(0)) {
      if (this.#socket !== undefined) this.#socket.send(JSON.stringify(message))
      const type = String(message["type"])
      const hasId = "seq" in message && !("isSnapshot" in message)
      const id = hasId ? `id: ${message["matchId"]}:${message["epoch"]}:${message["seq"]}:${message["position"]}\n` : ""
      this.#stream?.write(`${id}event: ${eventNames[type] ?? type}\ndata: ${JSON.stringify(message)}\n\n`)
    }
  }

  /** Breaks every connection, without a close frame. */
  cut(): void {
    for (const socket of this.#raw) socket.destroy()
    this.#socket = undefined
    this.#stream = undefined
    this.model.disconnect()
  }

  close(code: number, reason: string): void {
    this.#socket?.close(code, reason)
  }

  #note(request: IncomingMessage): void {
    this.requests.push({ path: request.url ?? "", headers: request.headers })
  }

  #refusal(request: IncomingMessage): Refusal | undefined {
    const query = new URL(request.url ?? "", "http://test").searchParams
    const refusal = this.refusals.shift()
    return refusal ?? ([request.headers["x-api-key"], query.get("apiKey")].includes(KEY) ? undefined : { status: 401 })
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.#note(request)
    const refusal = this.#refusal(request)
    if (refusal !== undefined) {
      response.writeHead(refusal.status, { "content-type": "application/json", ...refusal.headers })
      const code = refusal.status === 401 ? "INVALID_API_KEY" : "SERVICE_UNAVAILABLE"
      response.end(JSON.stringify({ success: false, error: refusal.error ?? { code, message: "no" } }))
      return
    }
    const { pathname, searchParams } = new URL(request.url ?? "", "http://test")
    if (pathname === "/api/v1/usage") {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ success: true, data: this.account, meta: {} }))
      return
    }
    if (pathname !== "/api/v1/cs2/live/stream") {
      const meta = { count: 0, limit: 50, total: 0, page: 1, totalPages: 0, hasNext: false, hasPrev: false }
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ success: true, data: [], meta }))
      return
    }
    response.writeHead(200, { "content-type": "text/event-stream" })
    this.#stream = response
    response.on("close", () => {
      if (this.#stream !== response) return
      this.#stream = undefined
      this.model.disconnect()
    })
    const matchId = searchParams.get("matchId")
    const lastEventId = request.headers["last-event-id"]
    this.model.connect(
      matchId === null ? ALL : `match:${matchId}`,
      lastEventId === undefined ? undefined : parseCursor(String(lastEventId)),
    )
    this.flush()
  }
}
