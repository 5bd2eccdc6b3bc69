/**
 * Requests per second, by key: a token bucket that refills at the agreed rate and holds two seconds' worth (SharedBuckets.ts). Tokens of
 * fast keys are fetched several at a time and kept here for some seconds, so that most requests cost no round trip; a key that has used up
 * its tokens is refused from here until there can be one more.
 */
import { RateLimitExceeded } from "@matchpoint/contracts/http/errors"
import type { Customer } from "@matchpoint/domain/accounts"
import { Clock, Context, Effect, Layer } from "effect"
import { KEEP_MS, KeyRate } from "./KeyRate.ts"
import { Meter } from "./Meter.ts"
import { monotonicOf } from "./monotonic.ts"
import { type Bucket, makeSharedBuckets } from "./SharedBuckets.ts"

/** Tokens of one fetch: this share of a second's. */
const SHARE = 0.5
const MAX_FETCH = 250
/** How often pockets are thrown away of which no token counts any more. */
const SWEEP_MS = 10_000

export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** One request of the key, at once. False: `acquire` it. `moment` as Meter's. */
    readonly take: (customer: Customer, moment?: number) => boolean
    readonly acquire: (customer: Customer) => Effect.Effect<void, RateLimitExceeded>
    /** The key's own tokens, for whoever takes many or wants to know how many are left: good for a second, then to be asked for again. */
    readonly key: (customer: Customer, moment?: number) => KeyRate
  }
>()("@matchpoint/metering/RateLimits") {
  /** Requires effect's RateLimiter. */
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const meter = yield* Meter
      const monotonic = monotonicOf(yield* Clock.Clock)
      const takeShared = yield* makeSharedBuckets(meter.clock)
      const pockets = new Map<string, KeyRate>()

      const pocketOf = ({ keyId, requestsPerSecond }: Customer, now = monotonic()): KeyRate => {
        const known = pockets.get(keyId)
        if (known !== undefined && known.requestsPerSecond === requestsPerSecond) {
          known.look(now)
          return known
        }
        const pocket = new KeyRate(requestsPerSecond, now)
        pockets.set(keyId, pocket)
        return pocket
      }

      const take = (customer: Customer, now = monotonic()): boolean => !meter.enabled || pocketOf(customer, now).take()

      /** Several for the pocket, of which one is for the asker; only one, while others are on their way. */
      const fetch = (customer: Customer, pocket: KeyRate): Effect.Effect<Bucket> => {
        const several = Math.min(MAX_FETCH, Math.floor(customer.requestsPerSecond * SHARE))
        if (several <= 1 || pocket.isFetching) return takeShared(customer, 1)
        pocket.isFetching = true
        return takeShared(customer, several).pipe(
          Effect.filterOrElse(
            (bucket) => bucket.taken > 0,
            () => takeShared(customer, 1),
          ),
          Effect.ensuring(
            Effect.sync(() => {
              pocket.isFetching = false
            }),
          ),
        )
      }

      const received = (pocket: KeyRate, bucket: Bucket): boolean => {
        const now = monotonic()
        if ("waitMs" in bucket) {
          pocket.refused(bucket.waitMs, now)
          return false
        }
        pocket.received(bucket.taken - 1, bucket.left, now)
        return true
      }

      const exceeded = ({ plan, requestsPerSecond }: Customer, pocket: KeyRate) => {
        const seconds = Math.max(1, Math.ceil(pocket.refusedFor(monotonic()) / 1_000))
        return RateLimitExceeded.of(plan, requestsPerSecond, seconds)
      }

      const acquire = (customer: Customer): Effect.Effect<void, RateLimitExceeded> =>
        Effect.suspend(() => {
          if (take(customer)) return Effect.void
          const pocket = pocketOf(customer)
          if (pocket.refusedFor(monotonic()) > 0) return Effect.fail(exceeded(customer, pocket))
          return Effect.flatMap(fetch(customer, pocket), (bucket) =>
            received(pocket, bucket) ? Effect.void : Effect.fail(exceeded(customer, pocket)),
          )
        })

      const sweep = Effect.sync(() => {
        const now = monotonic()
        for (const [keyId, pocket] of pockets) if (pocket.isOlderThan(KEEP_MS, now)) pockets.delete(keyId)
      })
      if (meter.enabled) yield* Effect.delay(sweep, SWEEP_MS).pipe(Effect.forever, Effect.forkScoped)

      return RateLimits.of({
        take,
        acquire,
        key: pocketOf,
      })
    }),
  )
}
