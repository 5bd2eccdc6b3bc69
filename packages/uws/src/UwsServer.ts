// Owns the native uWebSockets.js app, its listen socket, and the shutdown of the routes of all transports.
// `WebSocketRoute`, `SseRoute` and `UwsHttpServer` implement the routes.

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
import { type UpgradedSocketData, upgradedSocketBehavior } from "./http/UpgradedSocket.ts"
import { listenNatively } from "./nativeListen.ts"
import { RequestTurns } from "./RequestTurns.ts"
import { Shutdown } from "./Shutdown.ts"
import { ShutdownCallbacks } from "./ShutdownCallbacks.ts"
import { SkipNotices } from "./SkipNotices.ts"
import { type SseHandler, SseRoute } from "./SseRoute.ts"
import { SseTopics } from "./SseTopics.ts"
import { UpgradeCork } from "./UpgradeCork.ts"
import { type WebSocketHandler, WebSocketRoute } from "./WebSocketRoute.ts"

export interface UwsServerOptions {
  /** With 0, the operating system chooses a port, which `address` contains. */
  readonly port: number
  /** IP address, or a name that resolves to one. Default `0.0.0.0`. */
  readonly host?: string
  /**
   * Other processes may share the port (SO_REUSEPORT, on Linux). Default false: a second server on it is an error.
   */
  readonly isPortShared?: boolean
  /** Time for running requests after the server has begun to stop. Default 1 second. */
  readonly gracefulShutdownTimeout?: Duration.Input
  /** Close code and reason of WebSockets when the server stops. Default 1001 without a reason. */
  readonly shutdownClose?: { readonly code: number; readonly reason: string }
}

/** Runs inside the native route callback. `context` is defined if the client requests a WebSocket. */
export type HttpRouteHandler = (response: HttpResponse, request: HttpRequest, context: us_socket_context_t | undefined) => void

export class UwsServer extends Context.Service<
  UwsServer,
  {
    /** Address with the port that was actually bound. */
    readonly address: NetAddress.InetAddress

    /**
     * Serves WebSockets on a path pattern such as `/ws/:game`. When the scope closes, they are closed. The HTTP handler
     * gets ordinary requests to the path.
     */
    readonly websocket: <Data, R>(path: string, handler: WebSocketHandler<Data, R>) => Effect.Effect<void, never, R | Scope.Scope>

    /** Serves Server-Sent Events for GET requests on a path pattern until the scope closes. */
    readonly sse: <Data, R>(path: string, handler: SseHandler<Data, R>) => Effect.Effect<void, never, R | Scope.Scope>

    /**
     * Handles every request that no other route handles, until the scope closes. The last registered handler is used.
     * Without one, connections are closed without a response: a browser's `EventSource` reconnects after a closed
     * connection, but gives up after any status other than 200.
     */
    readonly http: (handler: HttpRouteHandler) => Effect.Effect<void, never, Scope.Scope>

    /** Sends to every WebSocket subscribed to the topic, without a copy per subscriber. Returns false if there is none. */
    readonly publish: (topic: string, bytes: string | Uint8Array, isBinary?: boolean) => boolean

    /** Number of WebSockets subscribed to the topic. */
    readonly subscribers: (topic: string) => number

    /** Writes complete events to every SSE connection subscribed to the topic. Returns their number. */
    readonly publishSse: (topic: string, bytes: Uint8Array) => number

    /** Number of SSE connections subscribed to the topic. */
    readonly sseSubscribers: (topic: string) => number

    /** Which requests start in this turn of the event loop. */
    readonly turns: RequestTurns

    /** Runs an upgrade later; see `UpgradeCork`. */
    readonly upgradeLate: (upgrade: () => void) => void

    /**
     * Registers a callback that sends last messages. Called once, before the server closes the connections, or when the
     * scope closes if that is earlier. Register it after the routes to which it sends, because finalizers of a scope
     * run in reverse order.
     */
    readonly onShutdown: (callback: () => void) => Effect.Effect<void, never, Scope.Scope>

    /**
     * Stops listening, closes WebSockets and SSE streams, waits for requests up to the shutdown timeout, then closes
     * the rest. Runs once. The layer calls it when its scope closes.
     */
    readonly shutdown: Effect.Effect<void>

    /** Running requests, and whether a shutdown has begun. */
    readonly requests: Shutdown
  }
>()("@matchpoint/uws/UwsServer") {
  static readonly make = Effect.fnUntraced(function* (options: UwsServerOptions) {
    const app = App()
    const host = yield* resolveHost(options.host ?? "0.0.0.0")
    // Before listening, because the native library answers 404 until the routes are registered.
    const upgrades = yield* UpgradeCork.make
    const listenSocket = listenNatively(app, host, options.port, options.isPortShared ?? false)
    if (listenSocket === false) {
      app.close()
      return yield* new HttpServerError.ServeError({
        cause: new Error(`Cannot listen on ${host}:${options.port}: the address is in use or not permitted; choose another host or port`),
      })
    }
    const address = yield* Effect.fromResult(NetAddress.inetAddressFromIpString(host, us_socket_local_port(listenSocket))).pipe(
      Effect.orDie,
    )

    const topics = new SseTopics()
    const requests = new Shutdown()
    const websockets = new Set<OpenWebSockets>()
    const streams = new Set<OpenStreams>()
    const shutdownCallbacks = new ShutdownCallbacks()
    const shutdownClose = options.shutdownClose ?? { code: 1001, reason: "" }
    const skips = new SkipNotices()
    let lastConnectionId = 0
    const routeHost = {
      nextConnectionId: () => ++lastConnectionId,
      accepting: () => !requests.begun,
      topics,
      skips,
      turns: new RequestTurns(),
      upgradeLate: (upgrade: () => void) => upgrades.run(upgrade),
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
        shutdownCallbacks.runAll()
        const closeSent = [...websockets, ...streams].some((route) => route.connections.size > 0)
        for (const route of websockets) route.endAll(shutdownClose.code, shutdownClose.reason)
        for (const route of streams) route.endAll()
        yield* Effect.promise(() => requests.drain(timeoutMs, closeSent))
        app.close()
        // The native close function does not call the handlers of WebSockets. Otherwise, the connection objects would
        // keep using closed sockets.
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
            route.endAll(shutdownClose.code, shutdownClose.reason)
            // A connection may still be open because a slow peer has not received its close frame yet. The route then
            // stays registered until the server stops.
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
        // Handlers are notified of skipped messages before and after each publish.
        // - Before: the native library may have freed space in a full buffer, and a connection that missed earlier
        //   messages would receive this one.
        // - After: the publish also sends messages that the library had collected before, which can fill a buffer.
        skips.notifyAll()
        const hasSubscribers = app.publish(topic, bytes, isBinary)
        skips.notifyAll()
        return hasSubscribers
      },
      subscribers: (topic) => app.numSubscribers(topic),
      publishSse: (topic, bytes) => topics.publish(topic, bytes),
      sseSubscribers: (topic) => topics.count(topic),
      turns: routeHost.turns,
      upgradeLate: routeHost.upgradeLate,
      onShutdown: shutdownCallbacks.add,
      shutdown,
      requests,
    })
  })

  static readonly layer = (options: UwsServerOptions): Layer.Layer<UwsServer, HttpServerError.ServeError> =>
    Layer.effect(UwsServer)(UwsServer.make(options))
}

/** View of a WebSocket route for the shutdown, whatever its type of data. */
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
