/**
 * Where the admin API and `/metrics` are served: on the main port, or on an address and port of their own if `MATCHPOINT_ADMIN_PORT` is
 * set. Then the main port answers 404 for them, so that no rule of a proxy decides who reaches them.
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

/** For the router of the main port. */
export const OperatorsOnMainPort = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ adminPort }) => (Option.isSome(adminPort) ? Layer.empty : OperatorRoutes)),
)

const Listening = Layer.effectDiscard(
  Effect.flatMap(UwsServer, ({ address }) => Effect.logInfo(`the admin API and /metrics listen on port ${address.port}`)),
)

/** A server of its own with a router of its own. Fresh layers: a router takes routes once, and there are two routers. */
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
