/** The server side of the contract's Metering: entitlement, rate, quota, in this order; and what the answer costs. */
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { Free, Metering, Needs, Section } from "@matchpoint/contracts/http/Metering"
import { refusalOf } from "@matchpoint/metering/entitlements"
import { Meter } from "@matchpoint/metering/Meter"
import { RateLimits } from "@matchpoint/metering/RateLimits"
import { Context, Effect, Exit, Layer, Option } from "effect"

export const MeteringLayer = Layer.effect(
  Metering,
  Effect.gen(function* () {
    const meter = yield* Meter
    const rates = yield* RateLimits
    return Metering.of((answering, { endpoint, group }) => {
      const game = Option.getOrUndefined(Context.getOption(group.annotations, Section))
      const feature = Option.getOrUndefined(Context.getOption(Context.merge(group.annotations, endpoint.annotations), Needs))
      const isFree = Option.isSome(Context.getOption(endpoint.annotations, Free))
      return Effect.gen(function* () {
        const customer = yield* Caller
        const refusal = refusalOf(customer, { game, feature })
        if (refusal !== undefined) return yield* refusal
        if (!rates.take(customer)) yield* rates.acquire(customer)
        if (isFree || !meter.enabled) return yield* answering
        const lease = meter.reserve(customer) ?? (yield* meter.acquire(customer))
        return yield* Effect.onExit(answering, (exit) =>
          Effect.sync(() => {
            if (Exit.isSuccess(exit) && exit.value.status >= 200 && exit.value.status < 300) meter.serve(lease, "request")
            else lease.release()
          }),
        )
      })
    })
  }),
)
