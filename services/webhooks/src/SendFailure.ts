/** Why a request got no response. Messages are for the customer, so they contain no addresses, internal names or stack traces. */
import { LookupFailure } from "@matchpoint/webhooks/checkedLookup"
import { Schema } from "effect"
import { errors } from "undici"

export const FailureReason = Schema.Literals([
  "blocked_address",
  "dns",
  "connect",
  "tls",
  "timeout",
  "reset",
  "response_too_large",
  "invalid_response",
  "invalid_url",
])
export type FailureReason = typeof FailureReason.Type

export class SendFailure extends Schema.TaggedError<SendFailure>("@matchpoint/service-webhooks/SendFailure")("SendFailure", {
  reason: FailureReason,
  message: Schema.String,
}) {}

const invalidResponse = new SendFailure({ reason: "invalid_response", message: "The response is not valid HTTP/1.1." })

/** Errors before a TLS handshake starts. */
const CONNECT_CODES = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "EACCES",
  "EPERM",
  "EINVAL",
  "EMFILE",
  "ENFILE",
])

/** Converts an error while connecting, up to the end of the TLS handshake. */
export const connectFailure = (error: unknown, isTls: boolean): SendFailure => {
  if (error instanceof LookupFailure) return new SendFailure({ reason: error.reason, message: error.message })
  const code = codeOf(error)
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT") {
    return new SendFailure({ reason: "timeout", message: "The connection was not established in time." })
  }
  if (isTls && !CONNECT_CODES.has(code)) return new SendFailure({ reason: "tls", message: `The TLS handshake failed${suffix(code)}.` })
  return new SendFailure({ reason: "connect", message: `The connection could not be established${suffix(code)}.` })
}

/**
 * Converts an error after connecting. Undefined if the receiver did not cause it: the arguments are invalid or the
 * agent was closed.
 */
export const requestFailure = (error: unknown): SendFailure | undefined => {
  if (error instanceof SendFailure) return error
  const code = codeOf(error)
  switch (code) {
    case "UND_ERR_INVALID_ARG":
    case "UND_ERR_DESTROYED":
    case "UND_ERR_CLOSED":
      return undefined
    case "UND_ERR_HEADERS_OVERFLOW":
      return new SendFailure({ reason: "response_too_large", message: "The response headers are too large." })
    case "UND_ERR_RES_CONTENT_LENGTH_MISMATCH":
      return invalidResponse
  }
  // Undici reports status 101, and 100 without a request for it, as a socket error with one of these messages.
  const isUnexpected = error instanceof errors.SocketError && /^bad (?:response|upgrade)$/.test(error.message)
  if (isUnexpected || error instanceof errors.HTTPParserError) return invalidResponse
  return new SendFailure({ reason: "reset", message: "The connection was closed before a response arrived." })
}

/** If several addresses were tried, the code of the first one's error. */
const codeOf = (error: unknown): string => {
  const own = error instanceof Error && "code" in error ? error.code : undefined
  if (typeof own === "string") return own
  return error instanceof AggregateError && error.errors.length > 0 ? codeOf(error.errors[0]) : ""
}

const suffix = (code: string): string => (/^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? ` (${code})` : "")
