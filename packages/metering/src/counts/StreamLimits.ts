/**
 * Limits connections and replays per API key over all gateways, and finds the connects that are free because a gateway
 * has ended the stream before. A single gateway, or one whose shared counts do not respond, decides by its own counts,
 * without waiting. Otherwise one exchange with `SharedCounts` at a time decides everything gathered since the previous
 * one.
 */
import type { ApiKeyId, Customer } from "@matchpoint/domain/accounts"
import { planTerms } from "@matchpoint/domain/plans"
import { Context, Effect, Layer, Schema } from "effect"
import { makeCountsPump } from "./CountsPump.ts"
import { KeyPlaces, type Place, type PlacesHost, type PlaceWaiter, type Wanted } from "./KeyPlaces.ts"
import { SharedCounts } from "./SharedCounts.ts"

export class LimitReached extends Schema.TaggedError<LimitReached>("@matchpoint/metering/LimitReached")("LimitReached", {
  limit: Schema.Literals(["connections", "replays"]),
}) {}

export class StreamLimits extends Context.Service<
  StreamLimits,
  {
    /**
     * Waits at most one exchange longer than the timeout of an exchange. The place must be released. An interrupted
     * wait takes no place, so call this inside `Effect.uninterruptibleMask`. The number of waiting clients is not
     * limited here, because each is an open connection.
     */
    readonly take: (customer: Customer, wanted: Wanted) => Effect.Effect<Place, LimitReached>
    /** False if this gateway alone has reached the plan's limit. Costs no exchange. */
    readonly hasRoomFor: (customer: Customer, wanted: Wanted) => boolean
    /**
     * Declares this gateway gone with all that is open, so that clients can open it elsewhere for free. Ignores
     * releases.
     */
    readonly drain: () => void
  }
>()("@matchpoint/metering/counts/StreamLimits") {
  static readonly layer = Layer.effect(
    StreamLimits,
    Effect.gen(function* () {
      const shared = yield* SharedCounts
      const keys = new Map<ApiKeyId, KeyPlaces>()
      const pump = shared === null ? undefined : yield* makeCountsPump(shared, keys)
      const host: PlacesHost = pump?.host ?? {
        isFrozen: () => false,
        changed: (key) => {
          if (key.isEmpty) keys.delete(key.keyId)
        },
        charged: () => {},
      }

      const knownKey = ({ keyId, plan }: Customer): KeyPlaces | undefined => {
        const known = keys.get(keyId)
        // The terms of the account may have changed.
        if (known !== undefined) known.limit = planTerms[plan]
        return known
      }

      const newKey = ({ keyId, plan }: Customer): KeyPlaces => {
        const key = new KeyPlaces(keyId, planTerms[plan], host)
        keys.set(keyId, key)
        return key
      }

      return StreamLimits.of({
        hasRoomFor: (customer, wanted) => knownKey(customer)?.reached(wanted) === undefined,
        take: (customer, wanted) =>
          Effect.suspend(() => {
            const key = knownKey(customer) ?? newKey(customer)
            const limit = key.reached(wanted)
            if (limit !== undefined) {
              // If the plan permits none of these, the key may have nothing open.
              if (key.isEmpty) keys.delete(key.keyId)
              return Effect.fail(new LimitReached({ limit }))
            }
            if (pump === undefined) return Effect.succeed(key.hold(wanted, false))
            if (pump.decidesAlone()) {
              const place = key.hold(wanted, false)
              pump.host.changed(key)
              return Effect.succeed(place)
            }
            return Effect.callback<Place, LimitReached>((resume) => {
              const waiter: PlaceWaiter = {
                wanted,
                granted: (place) => resume(Effect.succeed(place)),
                refused: (reached) => resume(Effect.fail(new LimitReached({ limit: reached }))),
              }
              pump.wait(key, waiter)
              return Effect.sync(() => key.leave(waiter))
            })
          }),
        drain: () => pump?.drain(),
      })
    }),
  )
}
