/**
 * What holds for every admin request before it is looked at: who tries tokens is slowed down, web pages are not heard, bodies are
 * small, answers stay in no cache. Refusals that effect makes on its own speak the API's errors here.
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
        // A browser says where a page's request comes from. No page has business here, whatever token it has got hold of.
        if (request.headers["origin"] !== undefined) return yield* InvalidAdminToken.because("the admin API is not for web pages")
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

/** Reading a body that is too large, or whose sender has left, ends as a defect of the endpoint's. */
const unreadableBody = <E>(cause: Cause.Cause<E>): boolean => parseErrorOf(cause) !== undefined

const refusedBody = <E>(cause: Cause.Cause<E>) =>
  Effect.fail(
    parseErrorOf(cause) === "BodyTooLarge"
      ? PayloadTooLarge.limit(MAX_ADMIN_BODY_BYTES)
      : ValidationError.because("the body could not be read"),
  )

const parseErrorOf = <E>(cause: Cause.Cause<E>): string | undefined => {
  const defect = cause.reasons.find(Cause.isDieReason)?.defect
  if (!HttpServerError.isHttpServerError(defect) || defect.reason._tag !== "RequestParseError") return undefined
  return defect.reason.reason ?? "Parse"
}
