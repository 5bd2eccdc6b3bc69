// Starts servers for the behaviour suite: the same application on each driver, one server per test.
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, type FileSystem, Layer, type Path, type Scope } from "effect"
import {
  type Etag,
  HttpClient,
  type HttpPlatform,
  HttpRouter,
  HttpServer,
  type HttpServerError,
  type HttpServerResponse,
} from "effect/http"
import { NetAddress } from "effect/net"

export interface Driver {
  readonly name: "uws" | "node"
  readonly layer: Layer.Layer<HttpServer.HttpServer | HttpClient.HttpClient, HttpServerError.ServeError>
}

export interface TestServer {
  readonly client: HttpClient.HttpClient
  readonly port: number
}

type Platform = Etag.Generator | HttpPlatform.HttpPlatform | FileSystem.FileSystem | Path.Path

/** Starts a server with this application for the rest of the test. */
export const serving = <E>(
  driver: Driver,
  application: Layer.Layer<
    never,
    E,
    HttpRouter.HttpRouter | Platform | HttpRouter.Request.From<"Requires", Platform> | HttpRouter.Request.From<"Error", unknown>
  >,
): Effect.Effect<TestServer, E | HttpServerError.ServeError, Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Layer.build(
      HttpRouter.serve(application, { disableLogger: true, disableListenLog: true }).pipe(
        Layer.provideMerge(driver.layer),
        Layer.provide(NodeHttpServer.layerHttpServices),
      ),
    )
    return yield* Effect.provide(
      Effect.gen(function* () {
        const { address } = yield* HttpServer.HttpServer
        const client = yield* HttpClient.HttpClient
        return { client, port: NetAddress.isInetAddress(address) ? address.port : -1 }
      }),
      context,
    )
  })

type Handler<E> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, Platform | HttpRouter.Provided>

/** Starts a server that answers every request to `path`, with any method, with this handler. */
export const servingOne = <E>(driver: Driver, handler: Handler<E>, path: `/${string}` | "*" = "*") =>
  serving(driver, HttpRouter.add("*", path, handler))
