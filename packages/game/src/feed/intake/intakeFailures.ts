/** Errors of the intake when the log or the register does not take what a request has sent. */
import type { LogError } from "@matchpoint/bus/EventLog"
import { InternalError, ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Answer } from "./Intake.ts"

/** Status 503 with a `Retry-After` of one second. */
export const busy = (message: string) =>
  Effect.andThen(
    HttpEffect.appendPreResponseHandler((_request: HttpServerRequest.HttpServerRequest, response) =>
      Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", "1")),
    ),
    Effect.fail(ServiceUnavailable.because(message)),
  )

/** `what` names the data that could not be appended. */
export const logFailed =
  (what: string) =>
  (error: LogError): Answer<never, ServiceUnavailable | InternalError> =>
    error.retryable ? failed(`the log does not accept ${what}`, error) : broken(error)

export const storeFailed = (error: StoreError) => (error.isRetryable ? failed("the register does not respond", error) : broken(error))

const failed = (message: string, error: unknown) => Effect.andThen(Effect.logWarning(message, error), busy(message))

const broken = (error: unknown) =>
  Effect.andThen(Effect.logError("facts could not be accepted", error), Effect.fail(InternalError.hidden()))
