/**
 * The admin API and `/metrics`, on the main port or at a separate address if `MATCHPOINT_ADMIN_PORT` is set. Then the
 * main port answers 404 for them, so no proxy rules are needed to restrict access. Health is on both.
 */
import { SlimServer } from "@matchpoint/game/edge/slimContext"
import { routing } from "@matchpoint/process/http/literalPaths"
import { operatorListener } from "@matchpoint/process/OperatorListener"
import { HealthRoutes, metricsRoutes } from "@matchpoint/process/operatorRoutes"
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { Effect, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import { AdminRoutes } from "../admin/AdminRoutes.ts"
import { FallbackRoutes } from "../http/pages/fallback.ts"
import { ResponseRules } from "../http/responses/ResponseRules.ts"
import { GatewayOperatorConfig } from "./gatewaySettings.ts"
import { liveMetrics } from "./liveMetrics.ts"

const OperatorRoutes = Layer.merge(AdminRoutes, metricsRoutes(liveMetrics))

export const OperatorsOnMainPort = Layer.unwrap(
  Effect.map(GatewayOperatorConfig, ({ adminPort }) =>
    Option.isSome(adminPort) ? HealthRoutes : Layer.merge(HealthRoutes, OperatorRoutes),
  ),
)

const application = HttpRouter.serve(Layer.mergeAll(OperatorRoutes, HealthRoutes, FallbackRoutes, ResponseRules), routing).pipe(
  Layer.provide(SlimServer.pipe(Layer.provide(UwsHttpServer.layer()))),
)

/** The separate server for operators, if there is a port for it. */
export const AdminListener = Layer.unwrap(
  Effect.map(GatewayOperatorConfig, ({ adminHost, adminPort }) =>
    Option.match(adminPort, {
      onNone: () => Layer.empty,
      onSome: (port) => operatorListener(application, { host: adminHost, port }, "health, metrics and the admin API"),
    }),
  ),
)
