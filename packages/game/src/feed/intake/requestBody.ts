/**
 * Reads and parses request bodies of the intake. The size of a body is limited. Problems are reported as API errors.
 */
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

/** Maximum size of a registration in bytes. */
export const MAX_REGISTRATION_BYTES = 256 * 1024

/**
 * Returns the text of the body. `match` is the match for which the sender is authenticated. Its unanswered bodies count
 * together.
 */
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

/**
 * Parses a request body as JSON and checks that its strings can be stored in the database. Fails with the position of a
 * syntax error or with the path of a string that cannot be stored.
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
      return Result.fail(contractMismatch(`${unstorable.issue}\n  at ${unstorable.path.map((key) => `[${JSON.stringify(key)}]`).join("")}`))
    },
  )

/**
 * Pattern for JSON texts that may contain strings that cannot be stored in the database. Such strings contain NUL or a
 * lone surrogate, which can occur in JSON only as an escape sequence. If a text does not match, its strings need not be
 * searched.
 */
const mayBeUnstorable = /\\u(?:0000|d[89a-f])/i

/** Converts a schema issue to an API error. */
export const contractMismatch = (issue: unknown): ValidationError =>
  ValidationError.because("the body does not match the contract", { issue: String(issue).slice(0, 2_000) })

/**
 * Returns the base URL at which senders reach the intake: the configured URL or, by default, one that is built from the
 * host of the request. Behind a proxy, the URL scheme is the last entry of `x-forwarded-proto`, because the proxy
 * itself has added that entry. Without a proxy, this header is ignored.
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

/** Converts the failure of a decoder to an API error. */
export const fitting = <A, E>(result: Result.Result<A, E>): Result.Result<A, ValidationError> => Result.mapError(result, contractMismatch)

export const decodeWith = <S extends Schema.Decoder<unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownResult(schema, strictBody)
  return (value: unknown): Result.Result<S["Type"], ValidationError> => fitting(decode(value))
}

export const answer = <A>(data: A) => ({ success: true as const, data, meta: {} })
