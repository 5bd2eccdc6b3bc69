/**
 * Every request copies the services of the context in which it is answered, and those that its endpoint was built with: a copy that grows
 * with each repository of each section, and costs more than an answer from memory does. What uses a repository has it from when it was
 * built; so requests go without, and endpoints are built with those they name.
 */
import { Context, Effect, Layer, type Scope } from "effect"
import { type HttpMiddleware, HttpServer, type HttpServerRequest, type HttpServerResponse } from "effect/http"

const REPOSITORY = "@matchpoint/store/"

const without = <R>(context: Context.Context<R>, kept: ReadonlySet<string>): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => kept.has(key) || !key.startsWith(REPOSITORY))))

/** Builds the layer with these repositories, and with everything else that is no repository. One that is missing is told at the start. */
export const withRepositories =
  (...repositories: ReadonlyArray<{ readonly key: string }>) =>
  <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> => {
    const kept = new Set(repositories.map(({ key }) => key))
    return Layer.fromBuildMemo((memoMap, scope) =>
      Effect.updateContext(Layer.buildWithMemoMap(layer, memoMap, scope), (context: Context.Context<R>) => without(context, kept)),
    )
  }

const none: ReadonlySet<string> = new Set()
const withoutAny = <R>(context: Context.Context<R>): Context.Context<R> => without(context, none)

type Application<E> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest | Scope.Scope>

/** The server as it is, for a router whose requests are answered without repositories. */
export const SlimServer = Layer.effect(
  HttpServer.HttpServer,
  Effect.map(HttpServer.HttpServer, (server) =>
    HttpServer.make({
      address: server.address,
      serve: <E>(application: Application<E>, middleware?: HttpMiddleware.HttpMiddleware) => {
        const serving: Effect.Effect<void, never, Scope.Scope> =
          middleware === undefined ? server.serve(application) : server.serve(application, middleware)
        return Effect.updateContext(serving, withoutAny)
      },
    }),
  ),
)
