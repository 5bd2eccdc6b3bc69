/**
 * Request id, error format and metrics for servers other than the public API, which has more rules (CORS, limits,
 * compression).
 */
import { Cause, Context, Effect, References } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answerOf, formatError } from "./errorResponses.ts"
import { HttpMetrics } from "./HttpMetrics.ts"
import { KnownPaths } from "./KnownPaths.ts"
import { isLiteral } from "./literalPaths.ts"
import { notFound } from "./notFound.ts"
import { notingRoute } from "./notingRoute.ts"
import { CurrentRequest, REQUEST_ID_HEADER, RequestInfo, requestIdOf } from "./requestId.ts"

export const ServerRules = HttpRouter.middleware(
  Effect.gen(function* () {
    const notThere = notFound(yield* KnownPaths)
    const metrics = new HttpMetrics(yield* Effect.context<never>())
    return <E, R>(answering: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
      Effect.contextWith((context: Context.Context<HttpServerRequest.HttpServerRequest>) => {
        const request = Context.get(context, HttpServerRequest.HttpServerRequest)
        const info = new RequestInfo(requestIdOf(request.headers))
        const startedAt = performance.now()
        const finished = (response: HttpServerResponse.HttpServerResponse) => {
          metrics.answered(info.route, request.method, response.status, (performance.now() - startedAt) / 1_000)
          const formed = response.status >= 400 ? formatError(response, request, info.requestId) : response
          return HttpServerResponse.setHeaders(formed, {
            "cache-control": formed.headers["cache-control"] ?? "no-store",
            "x-content-type-options": "nosniff",
            [REQUEST_ID_HEADER]: info.requestId,
          })
        }
        if (!isLiteral(request.url)) return Effect.succeed(finished(notThere(request)))
        const named = Effect.updateContext(notingRoute(answering, info), (outer: Context.Context<R>) =>
          Context.add(Context.add(outer, CurrentRequest, info), References.CurrentLogAnnotations, {
            ...Context.get(context, References.CurrentLogAnnotations),
            requestId: info.requestId,
          }),
        )
        return Effect.matchCauseEffect(named, {
          onSuccess: (response) => Effect.succeed(finished(response)),
          onFailure: (cause) =>
            Cause.hasInterruptsOnly(cause)
              ? Effect.failCause(cause)
              : Effect.map(Effect.annotateLogs(answerOf(cause, request, notThere), { requestId: info.requestId }), finished),
        })
      })
  }),
  { global: true },
)
