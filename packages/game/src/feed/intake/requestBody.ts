/** Request bodies of the intake, of limited size. Problems are API errors. */
import { parseBoundedJson } from "@matchpoint/contracts/http/boundedJson"
import { type PayloadTooLarge, ValidationError } from "@matchpoint/contracts/http/errors"
import { FEED_ROOT, MAX_FEED_BODY_BYTES } from "@matchpoint/contracts/http/feed/FactsApi"
import { strictBody } from "@matchpoint/contracts/http/strictBody"
import { unstorableTextIn } from "@matchpoint/domain/storableText"
import { unreadableBody } from "@matchpoint/process/http/unreadableBody"
import { countBodyFor } from "@matchpoint/uws/http/UwsServerRequest"
import { ByteSize, Effect, Result, Schema } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import type { FeedSettings } from "../FeedConfig.ts"

export const MAX_REGISTRATION_BYTES = 256 * 1024

/** Unanswered bodies are limited per `match`, the match for which the sender is authenticated. */
export const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  match?: string,
  maxBytes = MAX_FEED_BODY_BYTES,
): Effect.Effect<string, PayloadTooLarge | ValidationError> =>
  Effect.suspend(() => {
    if (match !== undefined) countBodyFor(request, match)
    return request.text
  }).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxBytes)),
    Effect.mapError((error) => unreadableBody(error, maxBytes)),
  )

/** Also checks that strings can be stored. Fails with the position of a syntax error or the path of such a string. */
export const parseJson = (text: string): Result.Result<unknown, ValidationError> =>
  Result.flatMap(
    Result.try({
      try: () => parseBoundedJson(text),
      catch: (cause) => ValidationError.because("the body is not JSON", { issue: cause instanceof Error ? cause.message : String(cause) }),
    }),
    (value) => {
      const unstorable = mayBeUnstorable.test(text) ? unstorableTextIn(value) : undefined
      if (unstorable === undefined) return Result.succeed(value)
      return Result.fail(contractMismatch(`${unstorable.issue}\n  at ${unstorable.path.map((key) => `[${JSON.stringify(key)}]`).join("")}`))
    },
  )

/** NUL and lone surrogates cannot be stored, and JSON has them only escaped: texts that do not match are fine. */
const mayBeUnstorable = /\\u(?:0000|d[89a-f])/i

export const contractMismatch = (issue: unknown): ValidationError =>
  ValidationError.because("the body does not match the contract", { issue: String(issue).slice(0, 2_000) })

/**
 * Base URL for senders: the configured one or, by default, that of the request's host. Behind a proxy, the scheme is the
 * last entry of `x-forwarded-proto`, which the proxy itself has added. Without a proxy, this header is ignored.
 */
export const intakeUrl = (
  { behindProxy, publicUrl }: Pick<FeedSettings, "behindProxy" | "publicUrl">,
  { headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">,
): string => {
  const forwarded = behindProxy ? headers["x-forwarded-proto"]?.split(",").at(-1)?.trim().toLowerCase() : undefined
  const place = publicUrl ?? `${forwarded === "https" ? "https" : "http"}://${headers["host"] ?? "localhost"}`
  return `${place.replace(/\/+$/, "")}${FEED_ROOT}`
}

export const hasMoreLinesThan = (most: number, text: string): boolean => {
  let lines = 1
  for (let at = text.indexOf("\n"); at >= 0 && lines <= most; at = text.indexOf("\n", at + 1)) lines += 1
  return lines > most
}

export const fitting = <A, E>(result: Result.Result<A, E>): Result.Result<A, ValidationError> => Result.mapError(result, contractMismatch)

export const decodeWith = <S extends Schema.Decoder<unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownResult(schema, strictBody)
  return (value: unknown): Result.Result<S["Type"], ValidationError> => fitting(decode(value))
}

export const answer = <A>(data: A) => ({ success: true as const, data, meta: {} })
