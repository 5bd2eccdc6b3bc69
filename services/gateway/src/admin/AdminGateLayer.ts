/**
 * Checks every admin request before it is handled: limits wrong tokens per address, rejects requests from web pages and
 * limits the size of the body. Forbids caching of admin responses and converts effect's own errors to the API's error
 * format.
 */
import { AdminGate, MAX_ADMIN_BODY_BYTES } from "@matchpoint/contracts/http/admin/AdminApi"
import { InvalidAdminToken, PayloadTooLarge, TooManyHandshakes, ValidationError } from "@matchpoint/contracts/http/errors"
import { FailedAttempts } from "@matchpoint/metering/FailedAttempts"
import { ByteSize, Cause, Clock, Effect, Layer, Option } from "effect"
import { HttpIncomingMessage, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { GatewayConfig } from "../GatewayConfig.ts"
import { clientAddress } from "../http/clientAddress.ts"
import { AdminConfig } from "./AdminConfig.ts"

const REMEMBERED_ADDRESSES = 10_000

export const AdminGateLayer = Layer.effect(
  AdminGate,
  Effect.gen(function* () {
    const { forgetAfterSeconds, wrongTokens } = yield* AdminConfig
    const { behindProxy } = yield* GatewayConfig
    const failures = new FailedAttempts({
      atMost: wrongTokens,
      forgetAfterMs: forgetAfterSeconds * 1_000,
      capacity: REMEMBERED_ADDRESSES,
    })

    return AdminGate.of((answering) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const address = clientAddress(request.headers, Option.getOrUndefined(request.remoteAddress), behindProxy)
        const wait = failures.waitOf(address, yield* Clock.currentTimeMillis)
        if (wait > 0) return yield* TooManyHandshakes.wrongTokens("admin", wait)
        // Rejects requests with an `Origin` header, which browsers send for web pages. No web page may use the admin
        // API, even with a valid token.
        if (request.headers["origin"] !== undefined)
          return yield* InvalidAdminToken.because(
            "the admin API rejects requests from web pages; call it from a program without an Origin header",
          )
        const response = yield* answering.pipe(
          Effect.tapError((error) =>
            isInvalidToken(error) ? Effect.map(Clock.currentTimeMillis, (now) => failures.failed(address, now)) : Effect.void,
          ),
          Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(MAX_ADMIN_BODY_BYTES)),
          Effect.catchCauseIf(unreadableBody, refusedBody),
        )
        if (response.status === UNSUPPORTED_MEDIA_TYPE) return yield* ValidationError.because("send the body as application/json")
        return HttpServerResponse.setHeader(response, "cache-control", "no-store")
      }),
    )
  }),
)

const UNSUPPORTED_MEDIA_TYPE = 415

const isInvalidToken = (error: unknown): boolean => error instanceof InvalidAdminToken

/**
 * Returns true if the cause of a failure is that the request body could not be read, because it is too large or the
 * client disconnected. In both cases, effect reports an untyped error (a defect) and not a typed one.
 */
const unreadableBody = <E>(cause: Cause.Cause<E>): boolean => parseErrorOf(cause) !== undefined

const refusedBody = <E>(cause: Cause.Cause<E>) =>
  Effect.fail(
    parseErrorOf(cause) === "BodyTooLarge"
      ? PayloadTooLarge.limit(MAX_ADMIN_BODY_BYTES)
      : ValidationError.because("the request body could not be read; send it again"),
  )

const parseErrorOf = <E>(cause: Cause.Cause<E>): string | undefined => {
  const defect = cause.reasons.find(Cause.isDieReason)?.defect
  if (!HttpServerError.isHttpServerError(defect) || defect.reason._tag !== "RequestParseError") return undefined
  return defect.reason.reason ?? "Parse"
}
