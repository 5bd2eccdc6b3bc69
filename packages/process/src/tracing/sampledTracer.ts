/**
 * Keeps tracing cheap: only a share of the requests starts a trace. Background work, such as the statements of timers,
 * is never traced.
 */
import { Tracer } from "effect"

/** Exports only spans of traces that a request has started. */
export const onlyRequests = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => tracer.span(options.parent._tag === "None" && options.kind !== "server" ? { ...options, sampled: false } : options),
    ...(tracer.context === undefined ? {} : { context: tracer.context }),
  })
