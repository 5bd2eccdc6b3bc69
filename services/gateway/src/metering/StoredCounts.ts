/** Shared counts in the database, for several gateways without Redis. */
import { SharedCounts, SharedCountsError } from "@matchpoint/metering/counts/SharedCounts"
import { KeyStreamCounts } from "@matchpoint/store/usage/KeyStreamCounts"
import { Effect, Layer } from "effect"

export const StoredCounts = Layer.effect(
  SharedCounts,
  Effect.gen(function* () {
    const counts = yield* KeyStreamCounts
    return {
      exchange: (gatewayId, claims) => Effect.mapError(counts.exchange(gatewayId, claims), (cause) => new SharedCountsError({ cause })),
      spend: (spendings) => Effect.mapError(counts.spend(spendings), (cause) => new SharedCountsError({ cause })),
      leave: (gatewayId) => Effect.mapError(counts.leave(gatewayId), (cause) => new SharedCountsError({ cause })),
    }
  }),
)
