/**
 * Checks entitlement, rate and quota, in this order, and charges the request when its response is sent. It runs for
 * every customer request: the requirements of an endpoint are computed once, and a request that needs no remote
 * decision does not wait and does not run a generator.
 */
import { Caller } from "@matchpoint/contracts/http/Authentication"
import type { GameNotIncluded, PlanRequired, RateLimitExceeded } from "@matchpoint/contracts/http/errors"
import { Free, Metering, Needs, OnDelivery, Section } from "@matchpoint/contracts/http/Metering"
import { entitlementError } from "@matchpoint/metering/entitlements"
import type { Lease } from "@matchpoint/metering/Lease"
import { Meter, type Refused } from "@matchpoint/metering/Meter"
import { RateLimits } from "@matchpoint/metering/RateLimits"
import { type Chargeable, CurrentRequest } from "@matchpoint/process/http/requestId"
import type { OwnHeaders } from "@matchpoint/uws/http/SharedHeaders"
import { Context, Effect, Layer, Option, type Types } from "effect"
import type { HttpServerResponse } from "effect/http"
import { customerLoader, type KnownCustomer } from "./KnownCustomer.ts"

type NotServed = PlanRequired | GameNotIncluded | RateLimitExceeded | Refused

export const MeteringLayer = Layer.effect(
  Metering,
  Effect.gen(function* () {
    const meter = yield* Meter
    const rates = yield* RateLimits

    const meet = customerLoader(meter, rates)

    /** Waits for a lease. */
    const acquire = (meteredRequest: MeteredRequest) =>
      Effect.callback<void, Refused>((resume) =>
        meter.wait(meteredRequest.customer, {
          served: (lease) => {
            if (meteredRequest.isOver) {
              lease.release()
              return
            }
            // The state may be outdated after the wait: a new day may have begun, or the ledger may have reported the
            // current day for the first time.
            meet(meteredRequest.customer, meter.moment())
            meteredRequest.lease = lease
            resume(Effect.void)
          },
          refused: (error) => resume(Effect.fail(error)),
        }),
      )

    return Metering.of((answering, { endpoint, group }) => {
      const annotations = Context.merge(group.annotations, endpoint.annotations)
      const requested = {
        game: Option.getOrUndefined(Context.getOption(annotations, Section)),
        feature: Option.getOrUndefined(Context.getOption(annotations, Needs)),
      }
      const isFree = Option.isSome(Context.getOption(annotations, Free)) || Option.isSome(Context.getOption(annotations, OnDelivery))

      const withinQuota = (meteredRequest: MeteredRequest) => {
        if (isFree) return answering
        meteredRequest.lease = meteredRequest.customer.reserve(meteredRequest.moment)
        return meteredRequest.lease === undefined ? Effect.andThen(acquire(meteredRequest), answering) : answering
      }

      return Effect.withFiber<HttpServerResponse.HttpServerResponse, Types.unhandled | NotServed, Caller>((fiber) => {
        const customer = Context.getUnsafe(fiber.context, Caller)
        const refusal = entitlementError(customer, requested)
        if (!meter.enabled) return refusal === undefined ? answering : Effect.fail(refusal)

        const moment = meter.moment()
        const meteredRequest = new MeteredRequest(meet(customer, moment), moment)
        Context.get(fiber.context, CurrentRequest).charged = meteredRequest
        if (refusal !== undefined) return Effect.fail(refusal)
        return meteredRequest.customer.take()
          ? withinQuota(meteredRequest)
          : Effect.flatMap(rates.acquire(customer), () => withinQuota(meteredRequest))
      })
    })
  }),
)

class MeteredRequest implements Chargeable {
  readonly customer: KnownCustomer
  /** Time of arrival, by the clock of `Meter`. */
  readonly moment: number
  lease: Lease | undefined = undefined
  isOver = false

  constructor(customer: KnownCustomer, moment: number) {
    this.customer = customer
    this.moment = moment
  }

  /** A 2xx response costs one request, others nothing. */
  answered(status: number, headers: OwnHeaders): void {
    const { customer, lease } = this
    if (lease !== undefined && !this.isOver) {
      if (status >= 200 && status < 300) customer.serve(lease)
      else lease.release()
    }
    this.isOver = true
    customer.addLimits(headers, this.moment)
  }

  abandoned(): void {
    if (!this.isOver) this.lease?.release()
    this.isOver = true
  }
}
