/** Why the server did not let us in: the answer to a handshake, whichever way we got it. */
import { Effect, Result, Schema } from "effect"
import type { HttpClientResponse } from "effect/http"

/** What the API says in the body of an error. */
export interface ApiError {
  readonly code: string
  readonly message: string
  /** Which limit, of those that have one in their details. */
  readonly limit?: string | undefined
}

export interface Refusal {
  readonly status?: number | undefined
  readonly retryAfterMs?: number | undefined
  readonly error?: ApiError | undefined
}

const ErrorAnswer = Schema.Struct({
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    details: Schema.optionalKey(Schema.Unknown),
  }),
})
const Limited = Schema.Struct({ limit: Schema.String })

const decodeAnswer = Schema.decodeUnknownResult(Schema.fromJsonString(ErrorAnswer))
const isLimited = Schema.is(Limited)

/** Of an answer other than 2xx. A body that is none of the API's, a proxy's for example, says nothing. */
export const refusalOf = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
  const body = decodeAnswer(yield* Effect.orElseSucceed(response.text, () => ""))
  const refusal: Refusal = {
    status: response.status,
    retryAfterMs: retryAfterMs(response.headers["retry-after"]),
    error: Result.isSuccess(body) ? apiErrorOf(body.success) : undefined,
  }
  return refusal
})

export const apiErrorOf = ({ error: { code, details, message } }: typeof ErrorAnswer.Type): ApiError => ({
  code,
  message,
  limit: isLimited(details) ? details.limit : undefined,
})

/** Of the header in seconds; a date is not worth the trouble here. */
export const retryAfterMs = (header: string | undefined): number | undefined =>
  header !== undefined && /^[0-9]{1,9}$/.test(header) ? Number(header) * 1_000 : undefined
