/** Trace of a record, as in the W3C header `traceparent`, beside its data. Only records of sampled traces have one. */
import { type Context, Effect, Exit, Option, Tracer } from "effect"

const FORMAT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/

/** Undefined for a span that is not sampled. */
export const traceparentOf = (span: Tracer.AnySpan | undefined): string | undefined =>
  span?.sampled === true ? `00-${span.traceId}-${span.spanId}-01` : undefined

/** Undefined if the value is malformed or the trace is not sampled. */
const spanOf = (traceparent: string): Tracer.ExternalSpan | undefined => {
  const [, traceId, spanId] = FORMAT.exec(traceparent) ?? []
  return traceId === undefined || spanId === undefined ? undefined : Tracer.externalSpan({ traceId, spanId, sampled: true })
}

/** An append in the effect passes the trace on to its record. */
export const continueTrace = <A, E, R>(traceparent: string, name: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const parent = spanOf(traceparent)
  return parent === undefined ? effect : Effect.withSpan(effect, name, { parent, kind: "consumer" })
}

/** Reports a span that has just ended, for code outside of effects. Nanoseconds since the epoch. */
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
