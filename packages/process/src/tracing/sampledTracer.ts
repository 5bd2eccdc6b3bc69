/**
 * Keeps the cost of tracing low: only a share of the requests starts a trace, and nothing else does. Background work,
 * such as the statements of timers, has no request and is never traced.
 */
import { Tracer } from "effect"

/** Returns a tracer that passes on spans of traces that a request has started. Other spans are not exported. */
export const onlyRequests = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => tracer.span(options.parent._tag === "None" && options.kind !== "server" ? { ...options, sampled: false } : options),
    ...(tracer.context === undefined ? {} : { context: tracer.context }),
  })
