/**
 * Sends traces to an OTLP collector. Off by default: `launch` disables spans, because Effect would create sampled spans
 * that nothing exports, and each record of the log would carry their ids.
 */
import { Context, Effect, Layer, Option, Random, References, Tracer } from "effect"
import { FetchHttpClient, HttpMiddleware } from "effect/http"
import { OtlpExporter, OtlpSerialization, OtlpTracer } from "effect/observability"
import { onlyRequests } from "./sampledTracer.ts"

export interface TracingSettings {
  /** Address of the collector, such as `http://collector:4318/v1/traces`. */
  readonly tracesUrl: Option.Option<string>
  /** Share of HTTP requests that start a trace, 0 to 1. */
  readonly tracesRatio: number
}

/** `service` is the name of the process in the traces. */
export const tracing = (service: string, { tracesRatio, tracesUrl }: TracingSettings): Layer.Layer<never> =>
  Option.match(tracesUrl, {
    onNone: () => Layer.empty,
    onSome: (url) =>
      Layer.effectContext(
        Effect.gen(function* () {
          const tracer = onlyRequests(yield* OtlpTracer.make({ url, resource: { serviceName: `matchpoint-${service}` } }))
          const random = yield* Random.Random
          const isSkipped = () => random.nextDoubleUnsafe() >= tracesRatio
          return Context.make(Tracer.Tracer, tracer).pipe(
            Context.add(References.TracerEnabled, true),
            Context.add(HttpMiddleware.TracerDisabledWhen, isSkipped),
          )
        }),
      ).pipe(Layer.provide([OtlpExporter.layerFlusher, OtlpSerialization.layerJson, FetchHttpClient.layer])),
  })
