/** Limits the size of bodies, and converts effect's own errors about bodies to the API's format. */
import { type PayloadTooLarge, ValidationError } from "@matchpoint/contracts/http/errors"
import { unreadableBody } from "@matchpoint/process/http/unreadableBody"
import { ByteSize, Cause, Effect } from "effect"
import { HttpIncomingMessage, HttpServerError, type HttpServerResponse } from "effect/http"

const UNSUPPORTED_MEDIA_TYPE = 415

/** Runs a handler with a limit of the request body. */
export const limitedBody =
  (maxBytes: number) =>
  <E, R>(
    answering: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, E | PayloadTooLarge | ValidationError, R> =>
    answering.pipe(
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxBytes)),
      Effect.catchCauseIf(isUnreadableBody, (cause) => refusedBody(cause, maxBytes)),
      Effect.flatMap((response) =>
        response.status === UNSUPPORTED_MEDIA_TYPE
          ? Effect.fail(ValidationError.because("send the body as application/json"))
          : Effect.succeed(response),
      ),
    )

/** True if the body could not be read, because it is too large or the client disconnected. Effect reports both as defects. */
const isUnreadableBody = <E>(cause: Cause.Cause<E>): boolean => parseErrorOf(cause) !== undefined

const refusedBody = <E>(cause: Cause.Cause<E>, maxBytes: number): Effect.Effect<never, E | PayloadTooLarge | ValidationError> => {
  const error = parseErrorOf(cause)
  return error === undefined ? Effect.failCause(cause) : Effect.fail(unreadableBody(error, maxBytes))
}

const parseErrorOf = <E>(cause: Cause.Cause<E>): HttpServerError.HttpServerError | undefined => {
  const defect = cause.reasons.find(Cause.isDieReason)?.defect
  return HttpServerError.isHttpServerError(defect) && defect.reason._tag === "RequestParseError" ? defect : undefined
}
