/**
 * Requests per second by key: a token bucket that refills at the agreed rate and holds two seconds' worth
 * (SharedBuckets.ts). Tokens of fast keys are fetched several at a time and kept here for some seconds, so most
 * requests cost no round trip. A key without tokens is rejected locally until one can be available again.
 */
import { RateLimitExceeded } from "@matchpoint/contracts/http/errors"
import type { Customer } from "@matchpoint/domain/accounts"
import { Clock, Context, Effect, Layer } from "effect"
import { KEEP_MS, KeyRate } from "./KeyRate.ts"
import { Meter } from "./Meter.ts"
import { monotonicOf } from "./monotonic.ts"
import { type Bucket, makeSharedBuckets } from "./SharedBuckets.ts"

/** Tokens per fetch, as a share of one second's tokens. */
const SHARE = 0.5
const MAX_FETCH = 250
/** Milliseconds between removals of keys whose tokens have expired. */
const SWEEP_MS = 10_000

export class RateLimits extends Context.Service<
  RateLimits,
  {
    /**
     * Takes one request of the key at once. If it returns false, call `acquire`. `moment` is the current monotonic
     * time.
     */
    readonly take: (customer: Customer, moment?: number) => boolean
    readonly acquire: (customer: Customer) => Effect.Effect<void, RateLimitExceeded>
    /**
     * Returns the tokens of the key, for callers that take many or need the remaining number. They must ask for them
     * again after a second.
     */
    readonly key: (customer: Customer, moment?: number) => KeyRate
  }
>()("@matchpoint/metering/RateLimits") {
  /** Requires Effect's `RateLimiter`. */
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

      /**
       * Takes several tokens from the shared bucket, one of them for the caller. Takes only one while another fetch is
       * in progress.
       */
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
