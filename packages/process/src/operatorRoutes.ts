/**
 * Health and metrics for operators and their tools. They need no key, because they expose no customer data and cause
 * little load: the health checks run at most once a second.
 */
import { HealthReport } from "@matchpoint/contracts/http/HealthReport"
import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import manifest from "../package.json" with { type: "json" }
import { Health } from "./health/Health.ts"
import { processMetrics } from "./metrics/processMetrics.ts"

const encodeReport = Schema.encodeSync(HealthReport)

/** `/health`, `/health/live` and `/health/ready`. */
export const HealthRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { report } = yield* Health
    const statusOf = ({ status }: HealthReport) => (status === "failed" ? 503 : 200)
    /** Names the failed components if the process is not ready. */
    const readiness = ({ components, status }: HealthReport) => {
      const failed = components.filter((component) => component.status === "failed")
      return failed.length === 0 ? { status } : { status, reasons: failed.map(({ name, reason }) => `${name}: ${reason}`) }
    }
    // Any response means that the process is alive. It does not depend on readiness, because a process that is alive
    // but not ready must not be killed.
    yield* router.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "ok" }))
    yield* router.add(
      "GET",
      "/health/ready",
      Effect.map(report, (found) => HttpServerResponse.jsonUnsafe(readiness(found), { status: statusOf(found) })),
    )
    yield* router.add(
      "GET",
      "/health",
      Effect.map(report, (found) => HttpServerResponse.jsonUnsafe(encodeReport(found), { status: statusOf(found) })),
    )
  }),
)

const PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"

/** Metrics that are measured on request. */
export interface MeasuredMetrics {
  readonly update: Effect.Effect<void>
}

const nothing: Effect.Effect<MeasuredMetrics> = Effect.succeed({ update: Effect.void })

/** `/metrics` as Prometheus text, after measuring those of the process and `further`. */
export const metricsRoutes = <E = never, R = never>(further: Effect.Effect<MeasuredMetrics, E, R>) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const context = yield* Effect.context<never>()
      const updates = [(yield* processMetrics(manifest.version)).update, (yield* further).update]
      const text = Effect.sync(() => PrometheusMetrics.formatUnsafe(context))
      const answer = Effect.map(text, (body) => HttpServerResponse.text(body, { contentType: PROMETHEUS }))
      yield* router.add("GET", "/metrics", Effect.andThen(Effect.all(updates, { discard: true }), answer))
    }),
  )

/** `/metrics` of a process that measures only itself. */
export const MetricsRoutes = metricsRoutes(nothing)
