/** Code shared by the handlers of the admin API: the operator of a request, and errors when the database fails. */
import { InternalError, ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import { clientAddress } from "@matchpoint/process/http/clientAddress"
import { CurrentRequest } from "@matchpoint/process/http/requestId"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { GatewayConfig } from "../GatewayConfig.ts"
import { handlersWith } from "../responses/unavailable.ts"
import { type AuditActor, actorOf } from "./auditChange.ts"

/** Operator's name, client address and request id for an audit log entry. */
export const auditActor = Effect.map(
  GatewayConfig,
  ({ behindProxy }) =>
    (request: HttpServerRequest.HttpServerRequest): Effect.Effect<AuditActor> =>
      Effect.map(CurrentRequest, ({ requestId }) => ({
        actor: actorOf(request),
        address: clientAddress(request.headers, Option.getOrUndefined(request.remoteAddress), behindProxy),
        requestId,
      })),
)

const storeUnavailable = (error: StoreError): Effect.Effect<never, ServiceUnavailable | InternalError> =>
  error.isRetryable
    ? Effect.andThen(
        Effect.logWarning("an admin request failed because the store does not answer", error),
        Effect.fail(ServiceUnavailable.because("the database does not answer; try again")),
      )
    : Effect.andThen(Effect.logError("an admin request failed in the store", error), Effect.fail(InternalError.hidden()))

export const answering = handlersWith(storeUnavailable)
