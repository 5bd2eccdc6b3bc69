/**
 * All errors in one format: the error envelope or, if the client accepts it, a problem document. Adds `Retry-After` if
 * a later retry may succeed.
 */
import { body, type ErrorCode, errorStatus } from "@matchpoint/contracts/http/errors"
import { acceptsProblem, ErrorEnvelope, PROBLEM_CONTENT_TYPE, problemOf, retryAfterOf } from "@matchpoint/contracts/http/problem"
import { type Cause, Effect, Option, Schema } from "effect"
import { HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"

/** Responses in other formats (RPC, files) are returned unchanged. */
export const formatError = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest,
  requestId: string,
): HttpServerResponse.HttpServerResponse => {
  const envelope = envelopeOf(response)
  if (envelope === undefined) return response
  const wait = retryAfterOf(envelope)
  const headers = {
    ...response.headers,
    vary: "Accept",
    "cache-control": "no-store",
    ...(wait === undefined ? {} : { "retry-after": String(wait) }),
  }
  const options = { status: errorStatus[envelope.error.code], headers: withoutBody(headers) }
  return acceptsProblem(request.headers["accept"])
    ? HttpServerResponse.jsonUnsafe(problemOf(envelope, requestId), { ...options, contentType: PROBLEM_CONTENT_TYPE })
    : HttpServerResponse.jsonUnsafe(envelope, options)
}

/**
 * Response to a request whose handler failed without one. Server errors are logged, and no detail is sent to the
 * client. `notFound` makes the response if no route matched.
 */
export const answerOf = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest,
  notFound: (request: HttpServerRequest.HttpServerRequest) => HttpServerResponse.HttpServerResponse,
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.flatMap(HttpServerError.causeResponse(cause), ([response]) => {
    if (isRouteNotFound(cause)) return Effect.succeed(notFound(request))
    if (response.status < 500) return Effect.succeed(response)
    return Effect.as(Effect.logError("a request failed", cause), HttpServerResponse.empty({ status: errorStatus.INTERNAL_ERROR }))
  })

const isRouteNotFound = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) => reason._tag === "Fail" && HttpServerError.isHttpServerError(reason.error) && reason.error.reason._tag === "RouteNotFound",
  )

const LARGEST_ERROR = 64 * 1024
const decodeEnvelope = Schema.decodeUnknownOption(Schema.fromJsonString(ErrorEnvelope))
const utf8 = new TextDecoder()

const envelopeOf = (response: HttpServerResponse.HttpServerResponse): ErrorEnvelope | undefined => {
  const { body: sent, status } = response
  if (sent._tag === "Empty") return told(status)
  if (sent._tag !== "Uint8Array" || sent.contentLength > LARGEST_ERROR || !sent.contentType.startsWith("application/json")) return undefined
  return Option.getOrUndefined(decodeEnvelope(sent.text ?? utf8.decode(sent.body)))
}

/** Error envelope of a response without a body: the router and the HTTP server set only a status. */
const told = (status: number): ErrorEnvelope | undefined => {
  const [code, message] = words[status] ?? (status >= 500 ? ours : theirs)
  return body(code, message)
}

const ours = ["INTERNAL_ERROR", "internal server error"] as const
const theirs = ["VALIDATION_ERROR", "the request could not be parsed"] as const

const words: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  404: ["NOT_FOUND", "not found; /docs describes every endpoint"],
  405: ["METHOD_NOT_ALLOWED", "this path does not allow the method; /docs describes every endpoint"],
  413: ["PAYLOAD_TOO_LARGE", "the request body exceeds the size limit"],
  503: ["SERVICE_UNAVAILABLE", "the server is stopping; try again"],
}

/** The error envelope sets its own headers of the body. */
const withoutBody = ({ "content-length": _, "content-type": __, ...headers }: Record<string, string>) => headers
