// A WebSocket route. The handshake is an Effect. Everything after it uses plain callbacks, because it is the hot path.
// uWebSockets.js manages topics, and `UwsServer` the list of routes.

import type { HttpRequest, HttpResponse, us_socket_context_t, WebSocketBehavior } from "uWebSockets.js"
import type { Context, Effect, Scope } from "effect"
import { assertSendable, type ConnectDecision, reject, sendReject, writeVerdictHeaders } from "./ConnectDecision.ts"
import { decide } from "./decide.ts"
import type { RequestTurns } from "./RequestTurns.ts"
import type { SkipNotices } from "./SkipNotices.ts"
import { paramNamesOf, UpgradeRequest } from "./UpgradeRequest.ts"
import { type SocketData, WebSocketConnection } from "./WebSocketConnection.ts"

/** Callbacks run inside the native event loop and must not throw: errors would be uncaught exceptions. */
export interface WebSocketHandler<Data, R = never> {
  /** May be asynchronous; it is interrupted if the client disconnects. A defect is logged, and the client gets status 500. */
  readonly upgrade: (request: UpgradeRequest) => Effect.Effect<ConnectDecision<Data>, never, R>
  readonly open?: (connection: WebSocketConnection<Data>) => void
  /** `data` is valid only until this callback returns, so copy whatever is needed later. */
  readonly message?: (connection: WebSocketConnection<Data>, data: ArrayBuffer, isBinary: boolean) => void
  /**
   * A send or publish has skipped this connection because its buffer exceeds the limit. `skipped` has the first bytes
   * (at most 256) of the first skipped message. All earlier messages were accepted.
   *
   * Called before the next publish, before `drain`, or in the next turn of the event loop, whichever is first. So a
   * handler that unsubscribes here receives nothing that is published later, with one exception: a message that the
   * native library was already collecting may still be sent if the peer reads at that moment, or be reported as
   * skipped.
   */
  readonly dropped?: (connection: WebSocketConnection<Data>, skipped: Uint8Array) => void
  /** Called when fewer bytes are buffered; see `bufferedBytes`. */
  readonly drain?: (connection: WebSocketConnection<Data>) => void
  /** Called when the peer has read a ping and answered it, also one that was sent automatically. */
  readonly pong?: (connection: WebSocketConnection<Data>) => void
  /** Called once per opened connection. Without a close frame, the code is 1006 and the reason is the library's. */
  readonly close?: (connection: WebSocketConnection<Data>, code: number, reason: string) => void
  readonly limits?: Partial<WebSocketLimits>
}

export interface WebSocketLimits {
  /**
   * A larger message closes with code 1009, or without a close frame if it is over 16 times as large. Default 16 KiB.
   */
  readonly maxPayloadBytes: number
  /** Idle time after which the connection is closed: 0 (never) or 8 to 960. Default 120. */
  readonly idleTimeoutSeconds: number
  /** Buffered bytes per connection. Messages that would exceed the limit are dropped. Default 64 KiB. */
  readonly maxBackpressureBytes: number
  /** Pings are sent shortly before the idle timeout, so that only unresponsive peers reach it. Default true. */
  readonly sendPingsAutomatically: boolean
  /** Timeout of `upgrade`. Then the client gets status 503. Default 10,000. */
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
 * Ratio of the native message size limit to `maxPayloadBytes`. Above the native limit, the library closes without a
 * close frame, so messages between the two limits get one. The ratio also limits how much the library buffers for one
 * connection.
 */
const NATIVE_LIMIT_FACTOR = 16

const tooBig = { code: 1009, reason: "message too big" } as const

/** Parts of the server that a route uses. */
export interface WebSocketRouteHost {
  readonly nextConnectionId: () => number
  /** True while the server accepts new connections. */
  readonly accepting: () => boolean
  readonly turns: RequestTurns
  readonly skips: SkipNotices
  /** Runs an upgrade after the route callback has returned. */
  readonly upgradeLate: (upgrade: () => void) => void
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
    // The native library terminates the whole process if it gets an invalid value.
    if (idle !== 0 && !(idle >= 8 && idle <= 960)) throw new RangeError(`idleTimeoutSeconds must be 0 or 8-960, not ${idle}`)
    this.#paramNames = paramNamesOf(path)
    this.#context = context
    this.#scope = scope
    this.#host = host
  }

  /** A route cannot be removed from the native router: it stays there and passes every new request to the next route. */
  deactivate(): void {
    this.#active = false
  }

  endAll(code: number, reason: string): void {
    for (const connection of this.connections) connection.end(code, reason)
  }

  /** Detaches all connections after the server has closed: the native library closes the sockets without an event. */
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
      // The handler closes a connection whose buffer exceeds its limit. After a native close, later sends could still
      // reach the closed socket.
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
        this.#host.skips.notify(connection)
        if (connection.drained()) handler.drain?.(connection)
      },
      pong: (socket) => {
        const { connection } = socket.getUserData()
        if (!connection.closed) handler.pong?.(connection)
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
    // Copied now, because the native request becomes invalid when this callback returns.
    const key = request.getHeader("sec-websocket-key")
    const extensions = request.getHeader("sec-websocket-extensions")
    const upgradeRequest = new UpgradeRequest(response, request, this.#paramNames)
    const answer = (verdict: ConnectDecision<Data>, late: boolean): void => {
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
        // The upgrade itself must not run inside a cork of the response; see `UpgradeCork`.
        if (late) response.cork(writeHead)
        else writeHead()
      }
      const connection = new WebSocketConnection(this.#host.nextConnectionId(), verdict.data)
      const upgrade = () => response.upgrade<SocketData<Data>>({ connection }, key, verdict.protocol ?? "", extensions, context)
      if (late) this.#host.upgradeLate(upgrade)
      else upgrade()
    }
    decide(
      response,
      this.#host.turns.inTurn(this.#handler.upgrade(upgradeRequest)),
      this.#context,
      this.#scope,
      this.#limits.upgradeTimeoutMs,
      answer,
    )
  }
}
