/**
 * Errors as problem details (RFC 9457), for whoever asks for `application/problem+json`. The same facts as in the envelope of
 * `errors.ts`, under the names of the RFC: one is made from the other, and nothing else makes problems.
 */
import { Schema } from "effect"
import { type ErrorCode, errorStatus } from "./errors.ts"
import { qualityOf, rangesOf } from "./mediaRanges.ts"

export const PROBLEM_CONTENT_TYPE = "application/problem+json"

const isCode = (code: string): code is ErrorCode => Object.hasOwn(errorStatus, code)

const Code = Schema.Literals(Object.keys(errorStatus).filter(isCode))

/** The body of any error answer, by its shape alone. */
export const ErrorEnvelope = Schema.Struct({
  success: Schema.Literal(false),
  error: Schema.Struct({ code: Code, message: Schema.String, details: Schema.optionalKey(Schema.Unknown) }),
})
export type ErrorEnvelope = typeof ErrorEnvelope.Type

export const Problem = Schema.Struct({
  type: Schema.String.annotate({ description: "`urn:matchpoint:error:<code>`: the kind of problem, for programs" }),
  title: Schema.String.annotate({ description: "The kind of problem, for people; always the same for a type" }),
  status: Schema.Natural.annotate({ description: "As in the status line" }),
  detail: Schema.String.annotate({ description: "What went wrong this time, and what to do" }),
  instance: Schema.String.annotate({ description: "`urn:matchpoint:request:<id>`: the request, by its x-request-id" }),
  code: Code.annotate({ description: "As in the envelope" }),
  details: Schema.optionalKey(Schema.Unknown).annotate({ description: "As in the envelope" }),
})
export type Problem = typeof Problem.Type

export const problemOf = ({ error: { code, details, message } }: ErrorEnvelope, requestId: string): Problem => ({
  type: `urn:matchpoint:error:${code}`,
  title: titleOf(code),
  status: errorStatus[code],
  detail: message,
  instance: `urn:matchpoint:request:${requestId}`,
  code,
  ...(details === undefined ? {} : { details }),
})

/**
 * Whether a request's `Accept` asks for problems: it names the type, and takes it as gladly as plain JSON. Who says only that he takes
 * everything gets the envelope. `application/json, application/problem+json` reads as "answers as JSON, errors as problems".
 */
export const wantsProblem = (accept: string | undefined): boolean => {
  if (accept === undefined || !/problem\+json/i.test(accept)) return false
  const ranges = rangesOf(accept)
  const named = ranges.find(({ type }) => type === PROBLEM_CONTENT_TYPE)
  return named !== undefined && named.quality > 0 && named.quality >= qualityOf("application/json", ranges)
}

/** An address or a channel that is full frees itself soon, but nobody can say when. */
const SOON_SECONDS = 5

/** What `Retry-After` says, seconds. Undefined: trying again will not help, or not by itself. */
export const retryAfterOf = ({ error: { code, details } }: ErrorEnvelope): number | undefined => {
  const status = errorStatus[code]
  if (status !== 429 && status !== 503) return undefined
  return hasRetryAfter(details) ? details.retryAfterSeconds : SOON_SECONDS
}

const hasRetryAfter = Schema.is(Schema.Struct({ retryAfterSeconds: Schema.Natural }))

/** `Rate limit exceeded`. */
const titleOf = (code: ErrorCode): string => {
  const words = code.toLowerCase().replaceAll("_", " ").replace("api", "API")
  return words.charAt(0).toUpperCase() + words.slice(1)
}
