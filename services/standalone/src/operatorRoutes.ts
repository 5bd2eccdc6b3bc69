/** For operators and their tools: is it alive, how is it doing. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"

const Health = HttpRouter.add("GET", "/health", Effect.succeed(HttpServerResponse.jsonUnsafe({ status: "ok" })))

/** Prometheus text of every counter and gauge. */
export const OperatorRoutes = Layer.mergeAll(Health, PrometheusMetrics.layerHttp({ path: "/metrics" }))
