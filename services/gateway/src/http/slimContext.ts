/**
 * Keeps the effect context of requests small. For every request, effect copies the server's context and the context in
 * which the endpoint was built. Both grow with each service of the product, until the copies cost more than sending a
 * response from memory. Requests therefore run without the product's services. The types enforce this: handlers get
 * their services when they are built, and take everything else from the request.
 */
import { Context, Effect, Layer, type Scope, Stdio, Terminal } from "effect"
import { type HttpMiddleware, HttpServer, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { RateLimiter } from "effect/persistence"
import { ChildProcessSpawner } from "effect/process"

const OURS = "@matchpoint/"
/**
 * Services of effect that are for programs that use a console, start processes or open a server. They are removed from
 * the context, because requests do not need them.
 */
const ofPrograms: ReadonlySet<string> = new Set([
  ChildProcessSpawner.ChildProcessSpawner.key,
  HttpServer.HttpServer.key,
  Layer.CurrentMemoMap.key,
  RateLimiter.RateLimiter.key,
  Stdio.Stdio.key,
  Terminal.Terminal.key,
])
/**
 * Prefix of the context keys of endpoint middleware. Services with this prefix must stay in the context, because effect
 * reads the middleware from the context in which the endpoint was built.
 */
const MIDDLEWARE = "@matchpoint/contracts/http/"

const having = <R>(context: Context.Context<R>, isKept: (key: string) => boolean): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => isKept(key))))

const middlewareAlone = <R>(context: Context.Context<R>): Context.Context<R> => having(context, (key) => key.startsWith(MIDDLEWARE))

/**
 * Replaces `HttpApiBuilder.group`. The endpoints are built with all services, but handle requests only with what the
 * request provides.
 */
export const endpointGroup: typeof HttpApiBuilder.group = (api, groupIdentifier, build) => {
  const layer = (everything: Context.Context<never>) =>
    HttpApiBuilder.group(api, groupIdentifier, (handlers) => {
      const built = build(handlers)
      // The cast restores the original result type. It is safe because the new effect returns the same handlers and
      // requires fewer services.
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

/**
 * Returns true if the value is an effect, whatever its type parameters. `HttpApiBuilder.group` checks the result, error
 * and requirement types of the effect.
 */
const isMadeByEffect = (built: unknown): built is Effect.Effect<never> => Effect.isEffect(built)

type Application<E> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest | Scope.Scope>

/** Wraps the HTTP server so that the router handles requests without the product's services in the context. */
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
