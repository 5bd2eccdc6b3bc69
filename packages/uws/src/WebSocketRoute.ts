// Owns a WebSocket route: the handshake as an Effect, then plain callbacks, because they are the hot path.
// Does not own topics (uWebSockets.js keeps them) nor the list of routes (UwsServer does).

import type { HttpRequest, HttpResponse, us_socket_context_t, WebSocketBehavior } from "uWebSockets.js"
import type { Context, Effect, Scope } from "effect"
import { decide } from "./decide.ts"
import type { SkipNotices } from "./SkipNotices.ts"
import { paramNamesOf, UpgradeRequest } from "./UpgradeRequest.ts"
import { assertSendable, reject, sendReject, type Verdict, writeVerdictHeaders } from "./Verdict.ts"
import { type SocketData, WebSocketConnection } from "./WebSocketConnection.ts"

/** The callbacks run inside the native loop: they must not throw, which would be an uncaught exception of the process. */
export interface WebSocketHandler<Data, R = never> {
  /** Decides about the handshake; may take time. Interrupted when the client leaves. A defect answers 500 and is logged. */
  readonly upgrade: (request: UpgradeRequest) => Effect.Effect<Verdict<Data>, never, R>
  readonly open?: (connection: WebSocketConnection<Data>) => void
  /** `data` is valid only until this returns: copy what must be kept. */
  readonly message?: (connection: WebSocketConnection<Data>, data: ArrayBuffer, isBinary: boolean) => void
  /**
   * A send or publish skipped this connection because its buffer is over the limit. `skipped` is the beginning (up to 256 bytes) of the
   * first message that was: all before it were taken. Called before anything else is published, before `drain`, or in the next turn of
   * the loop, whichever is first: whoever leaves its topics here gets nothing that is published later. The one message that the native
   * library was collecting meanwhile may still pass, if the peer read in that very moment, or be reported as skipped.
   */
  readonly dropped?: (connection: WebSocketConnection<Data>, skipped: Uint8Array) => void
  /** The buffer got shorter; see `bufferedBytes`. */
  readonly drain?: (connection: WebSocketConnection<Data>) => void
  /** Called once per opened connection. 1006, with the library's explanation, when the peer left without a close frame. */
  readonly close?: (connection: WebSocketConnection<Data>, code: number, reason: string) => void
  readonly limits?: Partial<WebSocketLimits>
}

export interface WebSocketLimits {
  /** A larger message closes the connection with 1009; one more than 16 times as large with no close frame. Default 16 KiB. */
  readonly maxPayloadBytes: number
  /** Seconds of silence until the close; 0 (never) or 8-960. Default 120. */
  readonly idleTimeoutSeconds: number
  /** Above this many buffered bytes further messages are dropped. Default 64 KiB. */
  readonly maxBackpressureBytes: number
  /** Pings shortly before the idle timeout, so that only dead peers run into it. Default true. */
  readonly sendPingsAutomatically: boolean
  /** How long `upgrade` may take until the client gets a 503. Default 10 s. */
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
 * The native library closes a connection without a close frame if a message exceeds its limit. So its limit is this many times ours, and
 * messages in between are closed properly. Bounds what a connection can make the library buffer.
 */
const NATIVE_LIMIT_FACTOR = 16

const tooBig = { code: 1009, reason: "message too big" } as const

/** What a route needs from its server. */
export interface WebSocketRouteHost {
  readonly nextConnectionId: () => number
  /** True while the server takes new connections. */
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
    // The native library ends the whole process on other values.
    if (idle !== 0 && !(idle >= 8 && idle <= 960)) throw new RangeError(`idleTimeoutSeconds must be 0 or 8-960, not ${idle}`)
    this.#paramNames = paramNamesOf(path)
    this.#context = context
    this.#scope = scope
    this.#host = host
  }

  /** The route cannot be taken out of the native router; from now on it lets requests pass to the next one. */
  deactivate(): void {
    this.#active = false
  }

  endAll(code: number, reason: string): void {
    for (const connection of this.connections) connection.end(code, reason)
  }

  /** The native sockets are gone without a word; called when the server has closed. */
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
      // Left to the handler: the native close also lets later sends slip out to a socket it has given up.
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
    // Strings are copied out now: the native request dies when this callback returns.
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
        // The head alone; why the upgrade itself is in no cork of ours, `decide` says.
        if (late) response.cork(writeHead)
        else writeHead()
      }
      const connection = new WebSocketConnection(this.#host.nextConnectionId(), verdict.data)
      response.upgrade<SocketData<Data>>({ connection }, key, verdict.protocol ?? "", extensions, context)
    }
    decide(response, this.#handler.upgrade(upgradeRequest), this.#context, this.#scope, this.#limits.upgradeTimeoutMs, answer)
  }
}
