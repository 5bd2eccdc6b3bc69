/** For operators and their tools: is it alive, how is it doing. */
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"

export const HealthRoutes = HttpRouter.add("GET", "/health", Effect.succeed(HttpServerResponse.jsonUnsafe({ status: "ok" })))

/** Prometheus text of every counter and gauge. */
export const MetricsRoutes = PrometheusMetrics.layerHttp({ path: "/metrics" })
