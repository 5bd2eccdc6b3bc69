// A route for Server-Sent Events. The handler decides about a client in an Effect. After that, the route writes the
// response head and calls plain callbacks.

import type { HttpRequest, HttpResponse } from "uWebSockets.js"
import type { Context, Effect, Scope } from "effect"
import { Headers } from "effect/http"
import { type Accept, assertSendable, type ConnectDecision, sendReject, writeVerdictHeaders } from "./ConnectDecision.ts"
import { decide } from "./decide.ts"
import type { RequestTurns } from "./RequestTurns.ts"
import { SseConnection, type SseOwner } from "./SseConnection.ts"
import type { SseTopics } from "./SseTopics.ts"
import { paramNamesOf, UpgradeRequest } from "./UpgradeRequest.ts"

/** Callbacks run inside the native event loop and must not throw: errors would be uncaught exceptions. */
export interface SseHandler<Data, R = never> {
  /** May be asynchronous; it is interrupted if the client disconnects. A defect is logged, and the client gets status 500. */
  readonly connect: (request: UpgradeRequest) => Effect.Effect<ConnectDecision<Data>, never, R>
  readonly open?: (connection: SseConnection<Data>) => void
  /**
   * The buffer is full and `skipped` was not sent. Later writes are skipped, without a call, until `drain` is called.
   */
  readonly dropped?: (connection: SseConnection<Data>, skipped: Uint8Array) => void
  /** The buffer is empty again after a write has returned false. */
  readonly drain?: (connection: SseConnection<Data>) => void
  /** Called once per opened connection, no matter which side ended it. */
  readonly close?: (connection: SseConnection<Data>) => void
  readonly limits?: Partial<SseLimits>
}

export interface SseLimits {
  /** Unsent bytes per connection above which writes are skipped, except to an empty buffer. Default 1 MiB. */
  readonly maxBackpressureBytes: number
  /** Timeout of `connect`. Then the client gets status 503. Default 10,000. */
  readonly connectTimeoutMs: number
}

export const defaultSseLimits: SseLimits = { maxBackpressureBytes: 1024 * 1024, connectTimeoutMs: 10_000 }

/** Parts of the server that a route uses. */
export interface SseRouteHost {
  readonly nextConnectionId: () => number
  /** True while the server accepts new connections. */
  readonly accepting: () => boolean
  readonly turns: RequestTurns
  readonly topics: SseTopics
}

/** `no-transform` and `x-accel-buffering` prevent proxies from buffering events. Headers of the handler override these. */
const standardHeaders = Headers.fromInput({
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
})

export class SseRoute<Data, R> {
  readonly connections = new Set<SseConnection<Data>>()
  readonly #handler: SseHandler<Data, R>
  readonly #connectTimeoutMs: number
  readonly #owner: SseOwner<Data>
  readonly #paramNames: ReadonlyArray<string>
  readonly #context: Context.Context<R>
  readonly #scope: Scope.Scope
  readonly #host: SseRouteHost
  #active = true

  constructor(path: string, handler: SseHandler<Data, R>, context: Context.Context<R>, scope: Scope.Scope, host: SseRouteHost) {
    this.#handler = handler
    const limits = { ...defaultSseLimits, ...handler.limits }
    this.#connectTimeoutMs = limits.connectTimeoutMs
    this.#owner = {
      maxBackpressureBytes: limits.maxBackpressureBytes,
      topics: host.topics,
      dropped: (connection, skipped) => handler.dropped?.(connection, skipped),
      closed: (connection) => {
        this.connections.delete(connection)
        handler.close?.(connection)
      },
    }
    this.#paramNames = paramNamesOf(path)
    this.#context = context
    this.#scope = scope
    this.#host = host
  }

  /** A route cannot be removed from the native router: it stays there and closes every new connection. */
  deactivate(): void {
    this.#active = false
  }

  endAll(): void {
    for (const connection of this.connections) connection.end()
  }

  handle(response: HttpResponse, request: HttpRequest): void {
    // Closes without a response, because `EventSource` reconnects after a closed connection, but gives up after any
    // status other than 200.
    if (!this.#active || !this.#host.accepting()) {
      response.close()
      return
    }
    const connectRequest = new UpgradeRequest(response, request, this.#paramNames)
    const answer = (verdict: ConnectDecision<Data>, late: boolean): void => {
      assertSendable(verdict)
      const write = () => (verdict._tag === "Reject" ? sendReject(response, verdict) : this.#open(response, verdict))
      if (late) response.cork(write)
      else write()
    }
    decide(
      response,
      this.#host.turns.inTurn(this.#handler.connect(connectRequest)),
      this.#context,
      this.#scope,
      this.#connectTimeoutMs,
      answer,
    )
  }

  /** Must be called inside `cork`, so that the response head and the first line are sent together. */
  #open(response: HttpResponse, verdict: Accept<Data>): void {
    const connection = new SseConnection(this.#host.nextConnectionId(), verdict.data, response, this.#owner)
    response.writeStatus("200 OK")
    writeVerdictHeaders(response, Headers.setAll(standardHeaders, verdict.headers ?? {}))
    // At least an SSE comment, because the head is sent only with the first chunk, and browsers fire `open` only when
    // they receive it.
    response.write(verdict.retryMs === undefined ? ":\n\n" : `retry: ${Math.trunc(verdict.retryMs)}\n\n`)
    response.onAborted(() => connection.detach())
    response.onWritable(() => {
      if (connection.writable()) this.#handler.drain?.(connection)
      return true
    })
    this.connections.add(connection)
    this.#handler.open?.(connection)
  }
}
