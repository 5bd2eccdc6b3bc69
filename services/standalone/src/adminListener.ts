/**
 * Serves the admin API and `/metrics` on the main port or, if `MATCHPOINT_ADMIN_PORT` is set, on an address and port of
 * their own. The main port then answers 404 for their paths, so access does not depend on the rules of a proxy.
 */

import { routing } from "@matchpoint/service-gateway/http/literalPaths"
import { FallbackRoutes } from "@matchpoint/service-gateway/http/pages/fallback"
import { AnswerRules } from "@matchpoint/service-gateway/http/responses/AnswerRules"
import { SlimServer } from "@matchpoint/service-gateway/http/slimContext"
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Effect, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import { AdminApiRoutes } from "./adminLayer.ts"
import { MetricsRoutes } from "./operatorRoutes.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"

const OperatorRoutes = Layer.merge(AdminApiRoutes, MetricsRoutes)

/** Operator routes for the main port. Empty if they have a port of their own. */
export const OperatorsOnMainPort = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ adminPort }) => (Option.isSome(adminPort) ? Layer.empty : OperatorRoutes)),
)

const Listening = Layer.effectDiscard(
  Effect.flatMap(UwsServer, ({ address }) => Effect.logInfo(`the admin API and /metrics listen on port ${address.port}`)),
)

/**
 * A separate server with its own router. The layers are fresh, because each of the two routers must receive the routes.
 */
const ownServer = (host: string, port: number) =>
  Layer.merge(
    HttpRouter.serve(Layer.fresh(Layer.mergeAll(OperatorRoutes, FallbackRoutes, AnswerRules)), routing).pipe(
      Layer.provide(Layer.fresh(SlimServer).pipe(Layer.provide(UwsHttpServer.layer()))),
    ),
    Listening,
  ).pipe(Layer.provide(UwsServer.layer({ port, host, gracefulShutdownTimeout: "1 second" })))

export const AdminListener = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ adminHost, adminPort }) =>
    Option.match(adminPort, { onNone: () => Layer.empty, onSome: (port) => ownServer(adminHost, port) }),
  ),
)
