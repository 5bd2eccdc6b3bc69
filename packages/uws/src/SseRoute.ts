// Owns a Server-Sent Events route: the decision as an Effect, the response head, then plain callbacks.

import type { HttpRequest, HttpResponse } from "uWebSockets.js"
import type { Context, Effect, Scope } from "effect"
import { Headers } from "effect/http"
import { decide } from "./decide.ts"
import { SseConnection, type SseOwner } from "./SseConnection.ts"
import type { SseTopics } from "./SseTopics.ts"
import { paramNamesOf, UpgradeRequest } from "./UpgradeRequest.ts"
import { type Accept, assertSendable, sendReject, type Verdict, writeVerdictHeaders } from "./Verdict.ts"

/** The callbacks run inside the native loop: they must not throw, which would be an uncaught exception of the process. */
export interface SseHandler<Data, R = never> {
  /** Decides about the request; may take time. Interrupted when the client leaves. A defect answers 500 and is logged. */
  readonly connect: (request: UpgradeRequest) => Effect.Effect<Verdict<Data>, never, R>
  readonly open?: (connection: SseConnection<Data>) => void
  /** The buffer is full: `skipped` is the first write that was left out; so are all others until `drain`. Called from within the write. */
  readonly dropped?: (connection: SseConnection<Data>, skipped: Uint8Array) => void
  /** The buffer is empty again after a write that returned false. */
  readonly drain?: (connection: SseConnection<Data>) => void
  /** Called once per opened connection, whoever ended it. */
  readonly close?: (connection: SseConnection<Data>) => void
  readonly limits?: Partial<SseLimits>
}

export interface SseLimits {
  /** Above this many unsent bytes further writes are skipped; a single write may always be larger. Default 1 MiB. */
  readonly maxBackpressureBytes: number
  /** How long `connect` may take until the client gets a 503. Default 10 s. */
  readonly connectTimeoutMs: number
}

export const defaultSseLimits: SseLimits = { maxBackpressureBytes: 1024 * 1024, connectTimeoutMs: 10_000 }

/** What a route needs from its server. */
export interface SseRouteHost {
  readonly nextConnectionId: () => number
  /** True while the server takes new connections. */
  readonly accepting: () => boolean
  readonly topics: SseTopics
}

/** `no-transform` and `x-accel-buffering` keep proxies from collecting events. A handler's headers come on top. */
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

  /** The route cannot be taken out of the native router; from now on it closes whoever comes. */
  deactivate(): void {
    this.#active = false
  }

  endAll(): void {
    for (const connection of this.connections) connection.end()
  }

  handle(response: HttpResponse, request: HttpRequest): void {
    // Going or gone: closed unanswered, since EventSource comes back after that, and after no answer but 200.
    if (!this.#active || !this.#host.accepting()) {
      response.close()
      return
    }
    const connectRequest = new UpgradeRequest(response, request, this.#paramNames)
    const answer = (verdict: Verdict<Data>, late: boolean): void => {
      assertSendable(verdict)
      const write = () => (verdict._tag === "Reject" ? sendReject(response, verdict) : this.#open(response, verdict))
      if (late) response.cork(write)
      else write()
    }
    decide(response, this.#handler.connect(connectRequest), this.#context, this.#scope, this.#connectTimeoutMs, answer)
  }

  /** Runs corked, so the head and the first line leave together. */
  #open(response: HttpResponse, verdict: Accept<Data>): void {
    const connection = new SseConnection(this.#host.nextConnectionId(), verdict.data, response, this.#owner)
    response.writeStatus("200 OK")
    writeVerdictHeaders(response, Headers.setAll(standardHeaders, verdict.headers ?? {}))
    // A comment at least: the head is complete only once a chunk is written, and browsers fire `open` on the head.
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
