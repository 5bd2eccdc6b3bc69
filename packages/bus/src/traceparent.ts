/**
 * The trace of a record, in the format of the W3C header `traceparent`. A record of a sampled trace carries it beside
 * its data, so that the data does not depend on tracing. Records of other traces carry nothing.
 */
import { type Context, Effect, Exit, Option, Tracer } from "effect"

const FORMAT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/

/** Returns the value for a span that is sampled, otherwise undefined. */
export const traceparentOf = (span: Tracer.AnySpan | undefined): string | undefined =>
  span?.sampled === true ? `00-${span.traceId}-${span.spanId}-01` : undefined

/** Returns the span of a sampled trace. Undefined if the value is malformed or the trace is not sampled. */
const spanOf = (traceparent: string): Tracer.ExternalSpan | undefined => {
  const [, traceId, spanId] = FORMAT.exec(traceparent) ?? []
  return traceId === undefined || spanId === undefined ? undefined : Tracer.externalSpan({ traceId, spanId, sampled: true })
}

/** Runs the effect in a span of the record's trace. An append in it passes the trace on to its record. */
export const continueTrace = <A, E, R>(traceparent: string, name: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const parent = spanOf(traceparent)
  return parent === undefined ? effect : Effect.withSpan(effect, name, { parent, kind: "consumer" })
}

/**
 * Reports a span of the record's trace that has just ended. For code that does not run in an effect. The times are in
 * nanoseconds since the epoch.
 */
export const reportSpan = (
  tracer: Tracer.Tracer,
  traceparent: string,
  { attributes, endTime, name, startTime }: ReportedSpan,
  annotations: Context.Context<never>,
): void => {
  const parent = spanOf(traceparent)
  if (parent === undefined) return
  const span = tracer.span({
    name,
    parent: Option.some(parent),
    annotations,
    links: [],
    startTime,
    kind: "consumer",
    root: false,
    sampled: true,
  })
  for (const [key, value] of Object.entries(attributes)) span.attribute(key, value)
  span.end(endTime, Exit.void)
}

export interface ReportedSpan {
  readonly name: string
  readonly startTime: bigint
  readonly endTime: bigint
  readonly attributes: Readonly<Record<string, string | number>>
}
