// Owns the native App, its listen socket, the routes of all transports and their orderly end.
// Does not own what is served: WebSocketRoute, SseRoute and UwsHttpServer do.

import {
  App,
  type HttpRequest,
  type HttpResponse,
  us_listen_socket_close,
  type us_socket_context_t,
  us_socket_local_port,
} from "uWebSockets.js"
import { lookup } from "node:dns/promises"
import { Context, Duration, Effect, Layer, Result, type Scope } from "effect"
import { HttpServerError } from "effect/http"
import { NetAddress } from "effect/net"
import { Farewells } from "./Farewells.ts"
import { type UpgradedSocketData, upgradedSocketBehavior } from "./http/UpgradedSocket.ts"
import { listenExclusively } from "./nativeListen.ts"
import { Shutdown } from "./Shutdown.ts"
import { SkipNotices } from "./SkipNotices.ts"
import { type SseHandler, SseRoute } from "./SseRoute.ts"
import { SseTopics } from "./SseTopics.ts"
import { type WebSocketHandler, WebSocketRoute } from "./WebSocketRoute.ts"

export interface UwsServerOptions {
  /** 0 lets the operating system choose; see `address`. */
  readonly port: number
  /** An IP address or a name that resolves to one. Default `0.0.0.0`. */
  readonly host?: string
  /** How long running requests may take once the server stops. Default 1 second. */
  readonly gracefulShutdownTimeout?: Duration.Input
  /** What WebSockets are told when the server stops. Default 1001, no reason. */
  readonly shutdownClose?: { readonly code: number; readonly reason: string }
}

/** Answers one request; `context` is there when the client asks for a WebSocket. Runs inside the native route callback. */
export type HttpRouteHandler = (response: HttpResponse, request: HttpRequest, context: us_socket_context_t | undefined) => void

export class UwsServer extends Context.Service<
  UwsServer,
  {
    /** Where it listens, with the port that was really bound. */
    readonly address: NetAddress.InetAddress

    /**
     * Serves WebSockets on a path pattern (`/ws`, `/ws/:game`) until the scope closes, which ends its connections.
     * Plain requests to the path go on to the HTTP handler.
     */
    readonly websocket: <Data, R>(path: string, handler: WebSocketHandler<Data, R>) => Effect.Effect<void, never, R | Scope.Scope>

    /** Serves Server-Sent Events for GET on a path pattern until the scope closes, which ends its connections. */
    readonly sse: <Data, R>(path: string, handler: SseHandler<Data, R>) => Effect.Effect<void, never, R | Scope.Scope>

    /**
     * Takes every request no other route takes, until the scope closes. The last one registered wins. Without any a connection is closed
     * unanswered, as if nobody listened: a browser's EventSource comes back after that, and after no answer but 200.
     */
    readonly http: (handler: HttpRouteHandler) => Effect.Effect<void, never, Scope.Scope>

    /** Sends the same bytes to every WebSocket that follows the topic: no copy per subscriber. False when nobody does. */
    readonly publish: (topic: string, bytes: string | Uint8Array, isBinary?: boolean) => boolean

    /** How many WebSockets follow the topic. */
    readonly subscribers: (topic: string) => number

    /** Writes the same whole events to every SSE connection that follows the topic; returns how many do. */
    readonly publishSse: (topic: string, bytes: Uint8Array) => number

    /** How many SSE connections follow the topic. */
    readonly sseSubscribers: (topic: string) => number

    /**
     * Has something said to connections, once, before the server ends them, or when the scope closes if that is sooner. To be
     * registered after the routes it speaks to: scopes close from the last to the first.
     */
    readonly farewell: (say: () => void) => Effect.Effect<void, never, Scope.Scope>

    /**
     * Stops listening, tells WebSockets and SSE streams good-bye, lets running requests finish up to the bound, then closes what is
     * left. Done once however often it is run; the layer runs it when its scope closes.
     */
    readonly shutdown: Effect.Effect<void>

    /** Counts the requests that a shutdown has to wait for, and tells whether one has begun. */
    readonly requests: Shutdown
  }
>()("@matchpoint/uws/UwsServer") {
  static readonly make = Effect.fnUntraced(function* (options: UwsServerOptions) {
    const app = App()
    const host = yield* resolveHost(options.host ?? "0.0.0.0")
    const listenSocket = listenExclusively(app, host, options.port)
    if (listenSocket === false) {
      app.close()
      return yield* new HttpServerError.ServeError({
        cause: new Error(`Cannot listen on ${host}:${options.port}: in use or not permitted`),
      })
    }
    const address = yield* Effect.fromResult(NetAddress.inetAddressFromIpString(host, us_socket_local_port(listenSocket))).pipe(
      Effect.orDie,
    )

    const topics = new SseTopics()
    const requests = new Shutdown()
    const websockets = new Set<OpenWebSockets>()
    const streams = new Set<OpenStreams>()
    const farewells = new Farewells()
    const lastWords = options.shutdownClose ?? { code: 1001, reason: "" }
    const skips = new SkipNotices()
    let lastConnectionId = 0
    const routeHost = {
      nextConnectionId: () => ++lastConnectionId,
      accepting: () => !requests.begun,
      topics,
      skips,
    }

    let fallback: HttpRouteHandler | undefined
    const dispatch: HttpRouteHandler = (response, request, context) => {
      if (fallback === undefined) response.close()
      else fallback(response, request, context)
    }
    app.ws<UpgradedSocketData>("/*", { ...upgradedSocketBehavior, upgrade: dispatch })
    app.any("/*", (response, request) => dispatch(response, request, undefined))

    const timeoutMs = Duration.toMillis(Duration.fromInputUnsafe(options.gracefulShutdownTimeout ?? "1 second"))
    const shutdown = yield* Effect.cached(
      Effect.gen(function* () {
        us_listen_socket_close(listenSocket)
        farewells.sayAll()
        const saidGoodbye = [...websockets, ...streams].some((route) => route.connections.size > 0)
        for (const route of websockets) route.endAll(lastWords.code, lastWords.reason)
        for (const route of streams) route.endAll()
        yield* Effect.promise(() => requests.drain(timeoutMs, saidGoodbye))
        app.close()
        // The native close tells nobody: whatever still holds a connection must not touch its socket again.
        for (const route of websockets) route.forgetAll()
      }),
    )
    yield* Effect.addFinalizer(() => shutdown)

    return UwsServer.of({
      address,
      websocket: Effect.fnUntraced(function* <Data, R>(path: string, handler: WebSocketHandler<Data, R>) {
        const scope = yield* Effect.scope
        const route = new WebSocketRoute(path, handler, yield* Effect.context<R>(), scope, routeHost)
        app.ws(path, route.behavior)
        websockets.add(route)
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            route.deactivate()
            route.endAll(lastWords.code, lastWords.reason)
            // A slow peer still waits for its close frame: the server must know of it until its own end.
            if (route.connections.size === 0) websockets.delete(route)
          }),
        )
      }),
      sse: Effect.fnUntraced(function* <Data, R>(path: string, handler: SseHandler<Data, R>) {
        const scope = yield* Effect.scope
        const route = new SseRoute(path, handler, yield* Effect.context<R>(), scope, routeHost)
        app.get(path, (response, request) => route.handle(response, request))
        streams.add(route)
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            route.deactivate()
            route.endAll()
            streams.delete(route)
          }),
        )
      }),
      http: (handler) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            fallback = handler
          }),
          () =>
            Effect.sync(() => {
              if (fallback === handler) fallback = undefined
            }),
        ),
      publish: (topic, bytes, isBinary = false) => {
        // The native library writes to a full socket in the middle of a turn, too: what makes room there would let later messages pass
        // to one who missed those before. A publish sends what has been collected, so it may be the one that skips somebody.
        skips.tellAll()
        const someone = app.publish(topic, bytes, isBinary)
        skips.tellAll()
        return someone
      },
      subscribers: (topic) => app.numSubscribers(topic),
      publishSse: (topic, bytes) => topics.publish(topic, bytes),
      sseSubscribers: (topic) => topics.count(topic),
      farewell: farewells.add,
      shutdown,
      requests,
    })
  })

  static readonly layer = (options: UwsServerOptions): Layer.Layer<UwsServer, HttpServerError.ServeError> =>
    Layer.effect(UwsServer)(UwsServer.make(options))
}

/** What the shutdown needs of a route, whatever its data. */
interface OpenWebSockets {
  readonly connections: ReadonlySet<unknown>
  readonly endAll: (code: number, reason: string) => void
  readonly forgetAll: () => void
}
interface OpenStreams {
  readonly connections: ReadonlySet<unknown>
  readonly endAll: () => void
}

const resolveHost = (host: string): Effect.Effect<string, HttpServerError.ServeError> =>
  Result.isSuccess(NetAddress.ipFromString(host))
    ? Effect.succeed(host)
    : Effect.tryPromise(() => lookup(host)).pipe(
        Effect.timeout("5 seconds"),
        Effect.mapBoth({
          onFailure: (cause) => new HttpServerError.ServeError({ cause }),
          onSuccess: (resolved) => resolved.address,
        }),
      )
