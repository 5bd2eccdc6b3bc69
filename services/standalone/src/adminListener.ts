/**
 * Serves the admin API and `/metrics` on the main port or, if `MATCHPOINT_ADMIN_PORT` is set, on a separate address and
 * port. With a separate port, the main port answers 404 for the paths of the admin API and `/metrics`, so no proxy
 * rules are needed to restrict access to them.
 */

import { routing } from "@matchpoint/service-gateway/http/literalPaths"
import { FallbackRoutes } from "@matchpoint/service-gateway/http/pages/fallback"
import { ResponseRules } from "@matchpoint/service-gateway/http/responses/ResponseRules"
import { SlimServer } from "@matchpoint/service-gateway/http/slimContext"
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Effect, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import { AdminApiRoutes } from "./adminLayer.ts"
import { MetricsRoutes } from "./operatorRoutes.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"

const OperatorRoutes = Layer.merge(AdminApiRoutes, MetricsRoutes)

/** Routes of the admin API and `/metrics` on the main port. Empty if these routes have a separate port. */
export const OperatorsOnMainPort = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ adminPort }) => (Option.isSome(adminPort) ? Layer.empty : OperatorRoutes)),
)

const Listening = Layer.effectDiscard(
  Effect.flatMap(UwsServer, ({ address }) => Effect.logInfo(`the admin API and /metrics listen on port ${address.port}`)),
)

/**
 * Starts a separate server with its own router. `Layer.fresh` builds the routes a second time, because they must be
 * registered with both routers.
 */
const ownServer = (host: string, port: number) =>
  Layer.merge(
    HttpRouter.serve(Layer.fresh(Layer.mergeAll(OperatorRoutes, FallbackRoutes, ResponseRules)), routing).pipe(
      Layer.provide(Layer.fresh(SlimServer).pipe(Layer.provide(UwsHttpServer.layer()))),
    ),
    Listening,
  ).pipe(Layer.provide(UwsServer.layer({ port, host, gracefulShutdownTimeout: "1 second" })))

export const AdminListener = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ adminHost, adminPort }) =>
    Option.match(adminPort, { onNone: () => Layer.empty, onSome: (port) => ownServer(adminHost, port) }),
  ),
)
