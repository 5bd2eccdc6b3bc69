/**
 * Errors as problem details (RFC 9457), for clients that ask for `application/problem+json`: the data of the envelope
 * of `errors.ts` under the RFC's field names.
 */
import { Schema } from "effect"
import { type ErrorCode, errorStatus } from "./errors.ts"
import { qualityOf, rangesOf } from "./mediaRanges.ts"

export const PROBLEM_CONTENT_TYPE = "application/problem+json"

const isCode = (code: string): code is ErrorCode => Object.hasOwn(errorStatus, code)

const Code = Schema.Literals(Object.keys(errorStatus).filter(isCode))

/** The body of every error response. */
export const ErrorEnvelope = Schema.Struct({
  success: Schema.Literal(false),
  error: Schema.Struct({ code: Code, message: Schema.String, details: Schema.optionalKey(Schema.Unknown) }),
})
export type ErrorEnvelope = typeof ErrorEnvelope.Type

export const Problem = Schema.Struct({
  type: Schema.String.annotate({ description: "`urn:matchpoint:error:<code>`: identifies the kind of problem for programs" }),
  title: Schema.String.annotate({ description: "Name of the kind of problem for people; the same for every problem of a type" }),
  status: Schema.Natural.annotate({ description: "HTTP status code" }),
  detail: Schema.String.annotate({ description: "Explanation of this occurrence, and what to do" }),
  instance: Schema.String.annotate({ description: "`urn:matchpoint:request:<id>`: the request, identified by its `X-Request-Id`" }),
  code: Code.annotate({ description: "Same as `error.code` of the JSON error envelope" }),
  details: Schema.optionalKey(Schema.Unknown).annotate({ description: "Same as `error.details` of the JSON error envelope" }),
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
 * True if the `Accept` header names `application/problem+json` explicitly, with at least the quality of
 * `application/json`. A client that accepts any type gets the JSON envelope. `application/json,
 * application/problem+json` therefore means: normal responses as JSON, errors as problem details.
 */
export const acceptsProblem = (accept: string | undefined): boolean => {
  if (accept === undefined || !/problem\+json/i.test(accept)) return false
  const ranges = rangesOf(accept)
  const named = ranges.find(({ type }) => type === PROBLEM_CONTENT_TYPE)
  return named !== undefined && named.quality > 0 && named.quality >= qualityOf("application/json", ranges)
}

/**
 * `Retry-After` of errors without their own, such as too many open channels. A retry usually succeeds soon, but the
 * exact time is unknown.
 */
const SOON_SECONDS = 5

/** `Retry-After` in seconds. Undefined if a retry cannot succeed, however long the client waits. */
export const retryAfterOf = ({ error: { code, details } }: ErrorEnvelope): number | undefined => {
  const status = errorStatus[code]
  if (status !== 429 && status !== 503) return undefined
  return hasRetryAfter(details) ? details.retryAfterSeconds : SOON_SECONDS
}

const hasRetryAfter = Schema.is(Schema.Struct({ retryAfterSeconds: Schema.Natural }))

/** Converts an error code to words, such as `Rate limit exceeded`. */
const titleOf = (code: ErrorCode): string => {
  const words = code.toLowerCase().replaceAll("_", " ").replace("api", "API")
  return words.charAt(0).toUpperCase() + words.slice(1)
}
