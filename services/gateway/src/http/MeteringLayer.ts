/**
 * The server side of the contract's Metering: entitlement, rate, quota, in this order; and what the answer costs. Every request of a
 * customer comes through here: what an endpoint asks for is worked out once, and a request that this process can answer for by itself
 * waits for nothing and runs no generator.
 */
import { Caller } from "@matchpoint/contracts/http/Authentication"
import type { GameNotIncluded, PlanRequired, RateLimitExceeded } from "@matchpoint/contracts/http/errors"
import { Free, Metering, Needs, Section } from "@matchpoint/contracts/http/Metering"
import type { Customer } from "@matchpoint/domain/accounts"
import { refusalOf } from "@matchpoint/metering/entitlements"
import type { Lease } from "@matchpoint/metering/Lease"
import { Meter, type Refused } from "@matchpoint/metering/Meter"
import { RateLimits } from "@matchpoint/metering/RateLimits"
import { rateLimitHeaders } from "@matchpoint/metering/rateLimitHeaders"
import { Context, Effect, Exit, Layer, Option, type Types } from "effect"
import type { HttpServerResponse } from "effect/http"
import { CurrentRequest } from "./requestId.ts"

type NotServed = PlanRequired | GameNotIncluded | RateLimitExceeded | Refused

export const MeteringLayer = Layer.effect(
  Metering,
  Effect.gen(function* () {
    const meter = yield* Meter
    const rates = yield* RateLimits

    /** Ends well when `take` has been given a lease with one request reserved. `take` answers whether it still wants it. */
    const acquire = (customer: Customer, take: (lease: Lease) => boolean) =>
      Effect.callback<void, Refused>((resume) =>
        meter.wait(customer, {
          served: (lease) => {
            if (take(lease)) resume(Effect.void)
            else lease.release()
          },
          refused: (error) => resume(Effect.fail(error)),
        }),
      )

    return Metering.of((answering, { endpoint, group }) => {
      const annotations = Context.merge(group.annotations, endpoint.annotations)
      const asked = {
        game: Option.getOrUndefined(Context.getOption(annotations, Section)),
        feature: Option.getOrUndefined(Context.getOption(annotations, Needs)),
      }
      const isFree = Option.isSome(Context.getOption(annotations, Free))

      return Effect.contextWith((context: Context.Context<Caller>) => {
        const customer = Context.get(context, Caller)
        const refusal = refusalOf(customer, asked)
        if (!meter.enabled) return refusal === undefined ? answering : Effect.fail(refusal)

        const request = Context.get(context, CurrentRequest)
        const moment = meter.moment()
        let lease: Lease | undefined
        let isOver = false
        const withinQuota = () => {
          if (isFree) return answering
          lease = meter.reserve(customer, moment)
          if (lease !== undefined) return answering
          const take = (granted: Lease) => {
            if (!isOver) lease = granted
            return !isOver
          }
          return Effect.andThen(acquire(customer, take), answering)
        }
        // What is reserved is reserved under the watch of `onExit`: whatever becomes of the fiber, it is served or released.
        const answered = Effect.suspend((): Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled | NotServed> => {
          if (refusal !== undefined) return Effect.fail(refusal)
          return rates.take(customer, moment) ? withinQuota() : Effect.flatMap(rates.acquire(customer), withinQuota)
        })
        return Effect.onExitPrimitive(answered, (exit) => {
          isOver = true
          if (lease !== undefined) {
            if (isServed(exit)) meter.serve(lease, "request", moment)
            else lease.release()
          }
          request.limits = rateLimitHeaders(customer, rates.remaining(customer), meter.standing(customer, moment))
          return undefined
        })
      })
    })
  }),
)

const isServed = (exit: Exit.Exit<HttpServerResponse.HttpServerResponse, unknown>): boolean =>
  Exit.isSuccess(exit) && exit.value.status >= 200 && exit.value.status < 300
