/**
 * Keeps the context of requests small. Effect copies the server's context and the endpoint's build context for every
 * request. Both grow with each service of the product, until the copies cost more than a response from memory. Handlers
 * take their services when they are built, and the request brings the rest (the types enforce it), so requests run
 * without these services.
 *
 * Services are told apart by the public `key` of their tags. If a key changes, requests get slower, not wrong. If a
 * middleware has another prefix, the server does not start.
 *
 * Removing this costs a GET of the live list from memory 31 % more CPU (78 instead of 60 us); `SlimServer` alone 23 %,
 * `endpointGroup` alone 7 %, `ofPrograms` alone 4 %. Medians of 6 to 14 alternating rounds, 2026-11-24, on a busy machine
 * with 2 cores: 32 keep-alive connections over loopback to `npm start` with `MATCHPOINT_SIMULATED_MATCHES=0` and
 * `MATCHPOINT_METERING=off`, CPU of the process from `/proc/<pid>/stat` per response.
 */
import { Context, Effect, Layer, type Scope, Stdio, Terminal } from "effect"
import { type HttpMiddleware, HttpServer, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { RateLimiter } from "effect/persistence"
import { ChildProcessSpawner } from "effect/process"

const OURS = "@matchpoint/"
/** Effect's services for programs that use a console, start processes or open a server. */
const ofPrograms: ReadonlySet<string> = new Set([
  ChildProcessSpawner.ChildProcessSpawner.key,
  HttpServer.HttpServer.key,
  Layer.CurrentMemoMap.key,
  RateLimiter.RateLimiter.key,
  Stdio.Stdio.key,
  Terminal.Terminal.key,
])
/** Key prefix of endpoint middleware. Effect reads middleware from the context in which the endpoint was built. */
const MIDDLEWARE = "@matchpoint/contracts/http/"

const having = <R>(context: Context.Context<R>, isKept: (key: string) => boolean): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => isKept(key))))

const middlewareAlone = <R>(context: Context.Context<R>): Context.Context<R> => having(context, (key) => key.startsWith(MIDDLEWARE))

/**
 * `HttpApiBuilder.group` for endpoints that are built with all services, but handle requests only with what the request
 * provides.
 */
export const endpointGroup: typeof HttpApiBuilder.group = (api, groupIdentifier, build) => {
  const layer = (everything: Context.Context<never>) =>
    HttpApiBuilder.group(api, groupIdentifier, (handlers) => {
      const built = build(handlers)
      // The result type stays the same, because the effect makes the same handlers and only requires less.
      return isMadeByEffect(built) ? (Effect.provideContext(built, everything) as typeof built) : built
    })
  return Layer.unwrap(
    Effect.map(Effect.context<never>(), (everything) => {
      const group = layer(everything)
      return Layer.fromBuildMemo((memoMap, scope) => Effect.updateContext(Layer.buildWithMemoMap(group, memoMap, scope), middlewareAlone))
    }),
  )
}

const forRequests = <R>(context: Context.Context<R>): Context.Context<R> =>
  having(context, (key) => !key.startsWith(OURS) && !ofPrograms.has(key))

/** Narrows to any effect. `HttpApiBuilder.group` checks its result, error and requirements. */
const isMadeByEffect = (built: unknown): built is Effect.Effect<never> => Effect.isEffect(built)

type Application<E> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest | Scope.Scope>

/** The server, changed so that the router's requests run without our services in their context. */
export const SlimServer = Layer.effect(
  HttpServer.HttpServer,
  Effect.map(HttpServer.HttpServer, (server) =>
    HttpServer.make({
      address: server.address,
      serve: <E>(application: Application<E>, middleware?: HttpMiddleware.HttpMiddleware) => {
        const serving: Effect.Effect<void, never, Scope.Scope> =
          middleware === undefined ? server.serve(application) : server.serve(application, middleware)
        return Effect.updateContext(serving, forRequests)
      },
    }),
  ),
)
