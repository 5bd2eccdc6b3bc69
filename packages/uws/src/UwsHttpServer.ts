// Effect's `HttpServer` on a `UwsServer`, which owns the socket. Runs the application once per request, and interrupts
// it if the client disconnects. The platform services for file responses and multipart bodies must be provided
// elsewhere.
import { Context, Effect, Fiber, Layer, Scope } from "effect"
import {
  FetchHttpClient,
  type HttpClient,
  HttpEffect,
  type HttpMiddleware,
  HttpServer,
  HttpServerError,
  HttpServerRequest,
  type HttpServerResponse,
} from "effect/http"
import { BodyBounds, type BodyLimits } from "./http/BodyBounds.ts"
import { Exchange, type ExchangeHost } from "./http/Exchange.ts"
import { writeResponse } from "./http/ResponseWriter.ts"
import { UwsServerRequest } from "./http/UwsServerRequest.ts"
import { type HttpRouteHandler, UwsServer, type UwsServerOptions } from "./UwsServer.ts"

export interface UwsHttpServerOptions {
  /** Limit of a request body in memory, if `HttpIncomingMessage.MaxBodySize` is not set. Default 10 MiB. */
  readonly maxBodyBytes?: number
  /** Bounds of request bodies that are not answered yet. */
  readonly bodies?: Partial<BodyLimits>
}

const defaultMaxBodyBytes = 10 * 1024 * 1024

type Application<E> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest | Scope.Scope>

const make = (options: UwsHttpServerOptions = {}): Effect.Effect<HttpServer.HttpServer["Service"], never, UwsServer> =>
  Effect.map(UwsServer, (server) =>
    HttpServer.make({
      address: server.address,
      serve: <E>(application: Application<E>, middleware?: HttpMiddleware.HttpMiddleware) =>
        serve(server, options.maxBodyBytes ?? defaultMaxBodyBytes, new BodyBounds(options.bodies), application, middleware),
    }),
  )

const serve = Effect.fnUntraced(function* <E>(
  server: UwsServer["Service"],
  maxBodyBytes: number,
  bodies: BodyBounds,
  application: Application<E>,
  middleware: HttpMiddleware.HttpMiddleware | undefined,
) {
  const { requests } = server
  const services = yield* Effect.context<never>()
  const requestScope = yield* Scope.make("parallel")
  const socketScope = yield* Scope.make("parallel")
  const handled = HttpEffect.toHandled(
    application,
    (request, response) =>
      request.source instanceof Exchange ? writeResponse(request, request.source, response, requests.begun) : foreignRequest,
    middleware,
  )
  const host: ExchangeHost = { bodies, upgradeLate: server.upgradeLate }
  const handle: HttpRouteHandler = (response, request, upgradeContext) => {
    const exchange = new Exchange(response, request, upgradeContext, host)
    if (server.turns.mayStart()) start(exchange)
    else {
      exchange.detach()
      requests.started()
      server.turns.later(() => {
        if (!exchange.closed) start(exchange)
        requests.finished()
      })
    }
  }
  const start = (exchange: Exchange) => {
    const serverRequest = new UwsServerRequest(exchange, maxBodyBytes)
    const fiber = Effect.runForkWith(Context.add(services, HttpServerRequest.HttpServerRequest, serverRequest))(handled)
    // Often the request has been answered inside the route callback. Then there is no need to watch for a disconnect or
    // to copy the request's data.
    if (fiber.pollUnsafe() !== undefined) exchange.release()
    else if (exchange.upgraded) Fiber.runIn(fiber, socketScope)
    else watch(exchange, fiber)
  }
  const watch = (exchange: Exchange, fiber: Fiber.Fiber<void>) => {
    exchange.detach()
    requests.started()
    Fiber.runIn(fiber, requestScope)
    let counted = true
    const over = () => {
      if (counted) requests.finished()
      counted = false
    }
    exchange.onAbort = () => fiber.interruptUnsafe(undefined, requests.over ? undefined : HttpServerError.ClientAbort.annotation)
    exchange.onUpgrade = () => {
      Fiber.runIn(fiber, socketScope)
      over()
    }
    fiber.addObserver(() => {
      exchange.abort()
      over()
    })
  }
  // Finalizers run in reverse order of registration. First, the WebSockets are ended, because an upgraded request runs
  // as long as its handler. The shutdown then waits for the running requests, and interrupts those still running.
  const scope = yield* Effect.scope
  yield* Scope.addFinalizerExit(scope, (exit) => Scope.close(requestScope, exit))
  yield* server.http(handle)
  yield* Scope.addFinalizer(scope, server.shutdown)
  yield* Scope.addFinalizerExit(scope, (exit) => Scope.close(socketScope, exit))
})

/** Occurs only if an application replaces the request service with that of another server. */
const foreignRequest = Effect.die(new Error("The request belongs to another server"))

export class UwsHttpServer {
  /** Alongside the WebSocket and SSE routes of the `UwsServer`. */
  static readonly layer = (options?: UwsHttpServerOptions): Layer.Layer<HttpServer.HttpServer, never, UwsServer> =>
    Layer.effect(HttpServer.HttpServer)(make(options))

  /** Test layer: a server on a free loopback port, and an `HttpClient` that resolves relative URLs against it. */
  static readonly layerTest = (
    options: UwsHttpServerOptions & Partial<UwsServerOptions> = {},
  ): Layer.Layer<HttpServer.HttpServer | UwsServer | HttpClient.HttpClient, HttpServerError.ServeError> =>
    HttpServer.layerTestClient.pipe(
      Layer.provide(
        Layer.fresh(FetchHttpClient.layer).pipe(Layer.provide(Layer.succeed(FetchHttpClient.RequestInit)({ keepalive: false }))),
      ),
      Layer.provideMerge(UwsHttpServer.layer(options)),
      Layer.provideMerge(UwsServer.layer({ port: 0, host: "127.0.0.1", ...options })),
    )
}
