/**
 * For operators and their tools: is the process alive, can it serve, which component is at fault, how is it doing. Without a key: it
 * says nothing of customers, and checks at most once a second.
 */
import { HealthReport } from "@matchpoint/contracts/http/HealthReport"
import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import manifest from "../package.json" with { type: "json" }
import { Health } from "./health/Health.ts"
import { liveMetrics } from "./metrics/liveMetrics.ts"
import { processMetrics } from "./metrics/processMetrics.ts"

const encodeReport = Schema.encodeSync(HealthReport)

/** `/health`, `/health/live` and `/health/ready`. */
export const HealthRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { report } = yield* Health
    const statusOf = ({ status }: HealthReport) => (status === "failed" ? 503 : 200)
    // Alive: an answer at all. A process that is alive and not ready must not be killed for it.
    yield* router.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "ok" }))
    yield* router.add(
      "GET",
      "/health/ready",
      Effect.map(report, (found) => HttpServerResponse.jsonUnsafe({ status: found.status }, { status: statusOf(found) })),
    )
    yield* router.add(
      "GET",
      "/health",
      Effect.map(report, (found) => HttpServerResponse.jsonUnsafe(encodeReport(found), { status: statusOf(found) })),
    )
  }),
).pipe(Layer.provide(Health.layer))

const PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"

/** The Prometheus text of every metric at `/metrics`. */
export const MetricsRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const context = yield* Effect.context<never>()
    const updates = [(yield* processMetrics(manifest.version)).update, (yield* liveMetrics).update]
    const text = Effect.sync(() => PrometheusMetrics.formatUnsafe(context))
    const answer = Effect.map(text, (body) => HttpServerResponse.text(body, { contentType: PROMETHEUS }))
    yield* router.add("GET", "/metrics", Effect.andThen(Effect.all(updates, { discard: true }), answer))
  }),
)
