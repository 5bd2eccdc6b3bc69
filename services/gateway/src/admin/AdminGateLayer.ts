/**
 * Checks before every admin request: limits wrong tokens per address, rejects requests from web pages and large bodies.
 * Forbids caching and converts effect's own errors to the API's format.
 */
import { AdminGate, MAX_ADMIN_BODY_BYTES } from "@matchpoint/contracts/http/admin/AdminApi"
import { InvalidAdminToken, TooManyHandshakes } from "@matchpoint/contracts/http/errors"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { FailedAttempts } from "@matchpoint/metering/FailedAttempts"
import { limitedAddress } from "@matchpoint/process/http/clientAddress"
import { Clock, Effect, Layer, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { limitedBody } from "../http/limitedBody.ts"
import { AdminConfig } from "./AdminConfig.ts"

const REMEMBERED_ADDRESSES = 10_000

export const AdminGateLayer = Layer.effect(
  AdminGate,
  Effect.gen(function* () {
    const { forgetAfterSeconds, wrongTokens } = yield* AdminConfig
    const rules = yield* GatewayConfig
    const now = monotonicOf(yield* Clock.Clock)
    const failures = new FailedAttempts({
      atMost: wrongTokens,
      forgetAfterMs: forgetAfterSeconds * 1_000,
      capacity: REMEMBERED_ADDRESSES,
    })

    return AdminGate.of((answering) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const address = limitedAddress(request.headers, Option.getOrUndefined(request.remoteAddress), rules)
        const wait = failures.waitOf(address, now())
        if (wait > 0) return yield* TooManyHandshakes.wrongTokens("admin", wait)
        // Browsers send `Origin` for web pages. No web page may use the admin API, even with a valid token.
        if (request.headers["origin"] !== undefined)
          return yield* InvalidAdminToken.because(
            "the admin API rejects requests from web pages; call it from a program without an Origin header",
          )
        const response = yield* answering.pipe(
          Effect.tapError((error) => (isInvalidToken(error) ? Effect.sync(() => failures.failed(address, now())) : Effect.void)),
          limitedBody(MAX_ADMIN_BODY_BYTES),
        )
        return HttpServerResponse.setHeader(response, "cache-control", "no-store")
      }),
    )
  }),
)

const isInvalidToken = (error: unknown): boolean => error instanceof InvalidAdminToken
