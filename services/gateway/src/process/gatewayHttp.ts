/** The HTTP server of a gateway: the public API, the streams and the routes for operators. */
import { SlimServer } from "@matchpoint/game/edge/slimContext"
import { bodyLimits } from "@matchpoint/process/http/bodyLimits"
import { routing } from "@matchpoint/process/http/literalPaths"
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { GatewayRoutes, GatewayStreams } from "../Gateway.ts"
import { GatewayOperatorConfig } from "./gatewaySettings.ts"
import { OperatorsOnMainPort } from "./operators.ts"

const BoundedServer = Layer.unwrap(Effect.map(GatewayOperatorConfig, (settings) => UwsHttpServer.layer({ bodies: bodyLimits(settings) })))

/**
 * The streaming endpoints start before the HTTP routes, so that stream clients can reconnect early. Until the routes
 * are ready, the connections of all other requests are closed without a response.
 */
export const gatewayHttp = <E, R>(further: Layer.Layer<never, E, R>) =>
  HttpRouter.serve(Layer.mergeAll(GatewayRoutes, OperatorsOnMainPort, further), routing).pipe(
    Layer.provide(SlimServer.pipe(Layer.provide(BoundedServer))),
    Layer.provideMerge(GatewayStreams),
  )
