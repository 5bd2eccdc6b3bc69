import { PayloadTooLarge, ValidationError } from "@matchpoint/contracts/http/errors"
import { QrRules } from "@matchpoint/contracts/http/qr/QrRules"
import { QR_RETRY_SECONDS, QrBusy, QrFailed, QrInvalid, QrTooLarge } from "@matchpoint/contracts/http/qr/qrErrors"
import { MAX_QR_BODY_BYTES } from "@matchpoint/contracts/http/qr/qrLimits"
import { Cause, Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { limitedBody } from "../http/limitedBody.ts"
import { knownParametersOnly } from "../http/QueryRulesLayer.ts"

/** Errors about the request and defects get the format of the section. */
export const qrRules = <E, R>(answering: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  limitedBody(MAX_QR_BODY_BYTES)(answering).pipe(
    Effect.catch((error) => (error instanceof QrBusy ? Effect.succeed(busyResponse(error)) : Effect.fail(inFormat(error)))),
    Effect.catchCauseIf(Cause.hasDies, (cause) =>
      Effect.andThen(Effect.logError("a QR code could not be generated", cause), Effect.fail(QrFailed.hidden())),
    ),
  )

export const QrRulesLayer = Layer.succeed(
  QrRules,
  QrRules.of((answering, { endpoint }) => qrRules(knownParametersOnly(answering, endpoint.query))),
)

/** Effect encodes errors without headers. */
const busyResponse = (error: QrBusy): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(
    { success: error.success, error: error.error },
    { status: 503, headers: { "retry-after": String(QR_RETRY_SECONDS) } },
  )

/** Converts errors to the format of the section. */
const inFormat = <E>(error: E) => {
  if (error instanceof PayloadTooLarge) return QrTooLarge.limit(MAX_QR_BODY_BYTES)
  if (error instanceof ValidationError) return QrInvalid.because(error.error.message)
  if (HttpApiError.HttpApiSchemaError.is(error)) return QrInvalid.because(sentenceOf(error))
  return error as Exclude<E, PayloadTooLarge | ValidationError>
}

const LONGEST = 500

/** Effect's message on one line, for example `Missing key at ["data"]`. */
const sentenceOf = ({ cause, kind }: HttpApiError.HttpApiSchemaError): string =>
  `the request's ${kind === "Query" ? "query" : "body"} is invalid: ${cause.message.replaceAll(/\s+/g, " ").slice(0, LONGEST)}`
