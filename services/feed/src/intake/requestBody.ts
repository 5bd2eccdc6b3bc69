/** Reads request bodies of the intake up to the size limit, and reports problems as API errors. */

import { parseBoundedJson } from "@matchpoint/contracts/http/boundedJson"
import { PayloadTooLarge, ValidationError } from "@matchpoint/contracts/http/errors"
import { FEED_ROOT, MAX_FEED_BODY_BYTES } from "@matchpoint/contracts/http/feed/FactsApi"
import { unstorableTextIn } from "@matchpoint/domain/storableText"
import { ByteSize, Effect, Result, Schema } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"

export const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  maxBytes = MAX_FEED_BODY_BYTES,
): Effect.Effect<string, PayloadTooLarge | ValidationError> =>
  request.text.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxBytes)),
    Effect.mapError(({ reason }) =>
      reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
        ? PayloadTooLarge.limit(maxBytes)
        : ValidationError.because("the body could not be read"),
    ),
  )

/**
 * Parses a body as JSON and checks that its texts can be stored. Fails with the position of a syntax error, or with the
 * path of an unstorable text.
 */
export const parseJson = (text: string): Result.Result<unknown, ValidationError> =>
  Result.flatMap(
    Result.try({
      try: () => parseBoundedJson(text),
      catch: (cause) => ValidationError.because("the body is not JSON", { issue: cause instanceof Error ? cause.message : String(cause) }),
    }),
    (value) => {
      const unstorable = mayBeUnstorable.test(text) ? unstorableTextIn(value) : undefined
      if (unstorable === undefined) return Result.succeed(value)
      return Result.fail(unfit(`${unstorable.issue}\n  at ${unstorable.path.map((key) => `[${JSON.stringify(key)}]`).join("")}`))
    },
  )

/** NUL and lone surrogates appear in JSON only as escapes, so a body without these escapes needs no search. */
const mayBeUnstorable = /\\u(?:0000|d[89a-f])/i

/** Converts a schema issue to an API error. */
export const unfit = (issue: unknown): ValidationError =>
  ValidationError.because("the body does not match the contract", { issue: String(issue).slice(0, 2_000) })

/** Returns the base URL for senders: the configured one, otherwise the host of the request. */
export const intakeUrl = (publicUrl: string | null, request: HttpServerRequest.HttpServerRequest): string => {
  const host = request.headers["host"] ?? "localhost"
  const scheme = request.headers["x-forwarded-proto"] === "https" ? "https" : "http"
  return `${(publicUrl ?? `${scheme}://${host}`).replace(/\/+$/, "")}${FEED_ROOT}`
}

/** Converts the failure of a decoder to an API error. */
export const fitting = <A, E>(result: Result.Result<A, E>): Result.Result<A, ValidationError> => Result.mapError(result, unfit)

export const decodeWith = <S extends Schema.Decoder<unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownResult(schema)
  return (value: unknown): Result.Result<S["Type"], ValidationError> => fitting(decode(value))
}

export const answer = <A>(data: A) => ({ success: true as const, data, meta: {} })
