// A WebSocket route. The handshake is an Effect; everything after it uses plain callbacks, because they are the hot
// path. It does not own topics (uWebSockets.js does) or the list of routes (`UwsServer` does).

import type { HttpRequest, HttpResponse, us_socket_context_t, WebSocketBehavior } from "uWebSockets.js"
import type { Context, Effect, Scope } from "effect"
import { decide } from "./decide.ts"
import type { SkipNotices } from "./SkipNotices.ts"
import { paramNamesOf, UpgradeRequest } from "./UpgradeRequest.ts"
import { assertSendable, reject, sendReject, type Verdict, writeVerdictHeaders } from "./Verdict.ts"
import { type SocketData, WebSocketConnection } from "./WebSocketConnection.ts"

/**
 * Handler of a route. The callbacks run inside the native event loop and must not throw: that would be an uncaught
 * exception of the process.
 */
export interface WebSocketHandler<Data, R = never> {
  /**
   * Decides about the handshake and may take time. Interrupted if the client leaves. A defect is answered with 500 and
   * logged.
   */
  readonly upgrade: (request: UpgradeRequest) => Effect.Effect<Verdict<Data>, never, R>
  readonly open?: (connection: WebSocketConnection<Data>) => void
  /** Called for each message. `data` is valid only until this returns: copy what must be kept. */
  readonly message?: (connection: WebSocketConnection<Data>, data: ArrayBuffer, isBinary: boolean) => void
  /**
   * Called after a send or publish has skipped this connection because its buffer exceeds the limit. `skipped` is the
   * beginning (up to 256 bytes) of the first skipped message. All messages before it were accepted.
   * It is called before the next publish, before `drain`, or in the next turn of the event loop, whichever is first. A
   * handler that leaves its topics here gets nothing that is published later. One exception: the message that the
   * native library was collecting at that moment may still be sent, if the peer reads just then, or be reported as
   * skipped.
   */
  readonly dropped?: (connection: WebSocketConnection<Data>, skipped: Uint8Array) => void
  /** Called when the buffer has shrunk; see `bufferedBytes`. */
  readonly drain?: (connection: WebSocketConnection<Data>) => void
  /**
   * Called once per opened connection. If the peer left without a close frame, the code is 1006 and the reason is the
   * native library's explanation.
   */
  readonly close?: (connection: WebSocketConnection<Data>, code: number, reason: string) => void
  readonly limits?: Partial<WebSocketLimits>
}

export interface WebSocketLimits {
  /**
   * Maximum size of a message in bytes. A larger one closes the connection with 1009. One more than 16 times as large
   * closes it without a close frame. Default 16 KiB.
   */
  readonly maxPayloadBytes: number
  /** Seconds of silence after which the connection is closed: 0 (never) or 8 to 960. Default 120. */
  readonly idleTimeoutSeconds: number
  /** Maximum number of buffered bytes. Above it, further messages are dropped. Default 64 KiB. */
  readonly maxBackpressureBytes: number
  /** Sends pings shortly before the idle timeout, so that only dead peers reach it. Default true. */
  readonly sendPingsAutomatically: boolean
  /** Milliseconds after which the client gets a 503 if `upgrade` has not decided. Default 10,000. */
  readonly upgradeTimeoutMs: number
}

export const defaultWebSocketLimits: WebSocketLimits = {
  maxPayloadBytes: 16 * 1024,
  idleTimeoutSeconds: 120,
  maxBackpressureBytes: 64 * 1024,
  sendPingsAutomatically: true,
  upgradeTimeoutMs: 10_000,
}

const SKIPPED_HEAD_BYTES = 256

/**
 * Ratio of the native message limit to ours. The native library closes a connection without a close frame if a message
 * exceeds its limit. With a higher native limit, messages between the two limits are closed properly. The ratio also
 * bounds what a connection can make the library buffer.
 */
const NATIVE_LIMIT_FACTOR = 16

const tooBig = { code: 1009, reason: "message too big" } as const

/** The part of the server that a route uses. */
export interface WebSocketRouteHost {
  readonly nextConnectionId: () => number
  /** Returns true while the server accepts new connections. */
  readonly accepting: () => boolean
  readonly skips: SkipNotices
}

export class WebSocketRoute<Data, R> {
  readonly connections = new Set<WebSocketConnection<Data>>()
  readonly #handler: WebSocketHandler<Data, R>
  readonly #limits: WebSocketLimits
  readonly #paramNames: ReadonlyArray<string>
  readonly #context: Context.Context<R>
  readonly #scope: Scope.Scope
  readonly #host: WebSocketRouteHost
  #active = true

  constructor(path: string, handler: WebSocketHandler<Data, R>, context: Context.Context<R>, scope: Scope.Scope, host: WebSocketRouteHost) {
    this.#handler = handler
    this.#limits = { ...defaultWebSocketLimits, ...handler.limits }
    const idle = this.#limits.idleTimeoutSeconds
    // The native library ends the whole process if it gets other values.
    if (idle !== 0 && !(idle >= 8 && idle <= 960)) throw new RangeError(`idleTimeoutSeconds must be 0 or 8-960, not ${idle}`)
    this.#paramNames = paramNamesOf(path)
    this.#context = context
    this.#scope = scope
    this.#host = host
  }

  /**
   * Deactivates the route. It cannot be removed from the native router, so it passes every further request to the next
   * route.
   */
  deactivate(): void {
    this.#active = false
  }

  endAll(code: number, reason: string): void {
    for (const connection of this.connections) connection.end(code, reason)
  }

  /**
   * Detaches all connections after the server has closed, because the native library closes their sockets without an
   * event.
   */
  forgetAll(): void {
    for (const connection of this.connections) connection.detach(1006)
    this.connections.clear()
  }

  get behavior(): WebSocketBehavior<SocketData<Data>> {
    const handler = this.#handler
    return {
      maxPayloadLength: this.#limits.maxPayloadBytes * NATIVE_LIMIT_FACTOR,
      idleTimeout: this.#limits.idleTimeoutSeconds,
      maxBackpressure: this.#limits.maxBackpressureBytes,
      sendPingsAutomatically: this.#limits.sendPingsAutomatically,
      // Closing is left to the handler. After a native close, later sends could still reach a socket that was given up.
      closeOnBackpressureLimit: false,
      upgrade: (response, request, context) => this.#upgrade(response, request, context),
      open: (socket) => {
        const { connection } = socket.getUserData()
        connection.attach(socket)
        this.connections.add(connection)
        handler.open?.(connection)
      },
      message: (socket, data, isBinary) => {
        const { connection } = socket.getUserData()
        if (connection.closed) return
        if (data.byteLength > this.#limits.maxPayloadBytes) connection.end(tooBig.code, tooBig.reason)
        else handler.message?.(connection, data, isBinary)
      },
      dropped: (socket, message) => this.#skip(socket.getUserData().connection, message),
      drain: (socket) => {
        const { connection } = socket.getUserData()
        this.#host.skips.tell(connection)
        if (connection.drained()) handler.drain?.(connection)
      },
      close: (socket, code, reason) => {
        const { connection } = socket.getUserData()
        this.connections.delete(connection)
        this.#host.skips.forget(connection)
        handler.close?.(connection, connection.detach(code), Buffer.from(reason).toString())
      },
    }
  }

  #skip(connection: WebSocketConnection<Data>, message: ArrayBuffer): void {
    const { skips } = this.#host
    const { dropped } = this.#handler
    if (dropped === undefined || connection.closed || skips.has(connection)) return
    const beginning = new Uint8Array(message.slice(0, SKIPPED_HEAD_BYTES))
    skips.add(connection, () => {
      if (!connection.closed) dropped(connection, beginning)
    })
  }

  #upgrade(response: HttpResponse, request: HttpRequest, context: us_socket_context_t): void {
    if (!this.#active) {
      request.setYield(true)
      return
    }
    if (!this.#host.accepting()) {
      sendReject(response, reject(503))
      return
    }
    // The strings are copied now, because the native request becomes invalid when this callback returns.
    const key = request.getHeader("sec-websocket-key")
    const extensions = request.getHeader("sec-websocket-extensions")
    const upgradeRequest = new UpgradeRequest(response, request, this.#paramNames)
    const answer = (verdict: Verdict<Data>, late: boolean): void => {
      assertSendable(verdict)
      if (verdict._tag === "Reject") {
        if (late) response.cork(() => sendReject(response, verdict))
        else sendReject(response, verdict)
        return
      }
      if (verdict.headers !== undefined) {
        const writeHead = () => {
          response.writeStatus("101 Switching Protocols")
          writeVerdictHeaders(response, verdict.headers)
        }
        // Corks only the head. See `decide` for why the upgrade itself must not be corked here.
        if (late) response.cork(writeHead)
        else writeHead()
      }
      const connection = new WebSocketConnection(this.#host.nextConnectionId(), verdict.data)
      response.upgrade<SocketData<Data>>({ connection }, key, verdict.protocol ?? "", extensions, context)
    }
    decide(response, this.#handler.upgrade(upgradeRequest), this.#context, this.#scope, this.#limits.upgradeTimeoutMs, answer)
  }
}
