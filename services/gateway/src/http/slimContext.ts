/**
 * Every request copies the services of the context in which it is answered, and those that its endpoint was built with: copies that grow
 * with every service of every section, and cost more than an answer from memory does. What uses a service has it from when it was built,
 * and what a request needs besides comes with it (its types say so); so requests go without.
 */
import { Context, Effect, Layer, type Scope, Stdio, Terminal } from "effect"
import { type HttpMiddleware, HttpServer, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { RateLimiter } from "effect/persistence"
import { ChildProcessSpawner } from "effect/process"

const OURS = "@matchpoint/"
/** Of effect, for programs that have a console, start others or open a server. */
const ofPrograms: ReadonlySet<string> = new Set([
  ChildProcessSpawner.ChildProcessSpawner.key,
  HttpServer.HttpServer.key,
  Layer.CurrentMemoMap.key,
  RateLimiter.RateLimiter.key,
  Stdio.Stdio.key,
  Terminal.Terminal.key,
])
/** What stands before endpoints: found in the context that they were built in, by effect. */
const MIDDLEWARE = "@matchpoint/contracts/http/"

const having = <R>(context: Context.Context<R>, isKept: (key: string) => boolean): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => isKept(key))))

const middlewareAlone = <R>(context: Context.Context<R>): Context.Context<R> => having(context, (key) => key.startsWith(MIDDLEWARE))

/** `HttpApiBuilder.group` for endpoints that are built with everything there is, and answer with what the request brings. */
export const endpointGroup: typeof HttpApiBuilder.group = (api, groupIdentifier, build) => {
  const layer = (everything: Context.Context<never>) =>
    HttpApiBuilder.group(api, groupIdentifier, (handlers) => {
      const built = build(handlers)
      // It makes the same handlers, and needs less.
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

/** Whatever it makes, needs or fails with: that is for `HttpApiBuilder.group` to know. */
const isMadeByEffect = (built: unknown): built is Effect.Effect<never> => Effect.isEffect(built)

type Application<E> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest | Scope.Scope>

/** The server as it is, for a router whose requests are answered without our services. */
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
