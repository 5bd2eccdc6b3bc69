/**
 * Saves CPU time by keeping the Effect context of requests small. For every request, effect copies the server's context
 * and the context in which the endpoint was built. Both grow with each service of the product, until the copies cost
 * more than a response from memory. Handlers receive their services when they are built, and the request provides
 * everything else (the types enforce this), so requests can run without these services in their context.
 *
 * Services are recognized by the public `key` of their tags. If the key of a service changes, requests become slower but
 * remain correct. If the key of a middleware does not begin with the expected prefix, the server does not start.
 *
 * Measurement: without this module, a GET of the live list from memory needs 31 % more CPU (78 instead of 60 us).
 * Without `SlimServer` alone it needs 23 % more, without `endpointGroup` alone 7 %, and without `ofPrograms` alone 4 %.
 * These are medians of 6 to 14 alternating rounds, measured on 2026-11-24 on a busy machine with 2 cores: 32 keep-alive
 * connections over loopback to `npm start` with `MATCHPOINT_SIMULATED_MATCHES=0` and `MATCHPOINT_METERING=off`, CPU time
 * of the process from `/proc/<pid>/stat` per response.
 */
import { Context, Effect, Layer, type Scope, Stdio, Terminal } from "effect"
import { type HttpMiddleware, HttpServer, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { RateLimiter } from "effect/persistence"
import { ChildProcessSpawner } from "effect/process"

const OURS = "@matchpoint/"
/** Keys of effect's own services that requests do not need, such as consoles, child processes and opening a server. */
const ofPrograms: ReadonlySet<string> = new Set([
  ChildProcessSpawner.ChildProcessSpawner.key,
  HttpServer.HttpServer.key,
  Layer.CurrentMemoMap.key,
  RateLimiter.RateLimiter.key,
  Stdio.Stdio.key,
  Terminal.Terminal.key,
])
/**
 * Keys of endpoint middleware. effect reads it from the context in which the endpoint was built, so it must stay there.
 */
const middleware = /^@matchpoint\/(?:contracts|[a-z0-9]+\/contract)\/http\//

const having = <R>(context: Context.Context<R>, isKept: (key: string) => boolean): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => isKept(key))))

const middlewareAlone = <R>(context: Context.Context<R>): Context.Context<R> => having(context, (key) => middleware.test(key))

/**
 * `HttpApiBuilder.group` with a small context of requests. All services are available while the endpoints are built.
 * Afterwards, an endpoint handles a request only with the services that the request itself provides.
 */
export const endpointGroup: typeof HttpApiBuilder.group = (api, groupIdentifier, build) => {
  const layer = (everything: Context.Context<never>) =>
    HttpApiBuilder.group(api, groupIdentifier, (handlers) => {
      const built = build(handlers)
      // The cast is safe because the new effect returns the same handlers and requires fewer services.
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

/** `HttpApiBuilder.group` checks the result, error and requirement types of the effect. */
const isMadeByEffect = (built: unknown): built is Effect.Effect<never> => Effect.isEffect(built)

type Application<E> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest | Scope.Scope>

/** The router then handles requests without the product's services in the context. */
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
