/**
 * Requests per second of each API key, by a token bucket that all gateways share (SharedBuckets.ts). For keys with a
 * high rate, several tokens are fetched at a time and cached for some seconds, so that most requests need no round
 * trip. A key without tokens is rejected locally until one may be available again.
 */
import { RateLimitExceeded } from "@matchpoint/contracts/http/errors"
import type { Customer } from "@matchpoint/domain/accounts"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { Clock, Context, Effect, Layer } from "effect"
import { KEEP_MS, KeyTokens } from "./KeyTokens.ts"
import { Meter } from "./Meter.ts"
import { type Bucket, makeSharedBuckets } from "./SharedBuckets.ts"

/** Tokens per fetch, as a fraction of those added per second. */
const SHARE = 0.5
const MAX_FETCH = 250
/** Interval at which keys with expired tokens are removed. */
const SWEEP_MS = 10_000

export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** If it returns false, call `acquire`. `moment` is the current monotonic time. */
    readonly take: (customer: Customer, moment?: number) => boolean
    readonly acquire: (customer: Customer) => Effect.Effect<void, RateLimitExceeded>
    /** The cached tokens of the key, for callers that take many. Must be requested again after a second. */
    readonly key: (customer: Customer, moment?: number) => KeyTokens
  }
>()("@matchpoint/metering/RateLimits") {
  /** Requires Effect's `RateLimiter`. */
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const meter = yield* Meter
      const monotonic = monotonicOf(yield* Clock.Clock)
      const takeShared = yield* makeSharedBuckets(meter.clock)
      const pockets = new Map<string, KeyTokens>()

      const pocketOf = ({ keyId, requestsPerSecond }: Customer, now = monotonic()): KeyTokens => {
        const known = pockets.get(keyId)
        if (known !== undefined && known.requestsPerSecond === requestsPerSecond) {
          known.look(now)
          return known
        }
        const pocket = new KeyTokens(requestsPerSecond, now)
        pockets.set(keyId, pocket)
        return pocket
      }

      const take = (customer: Customer, now = monotonic()): boolean => !meter.enabled || pocketOf(customer, now).take()

      /** Fetches one token for the caller and others for the cache. During another fetch for the same key, only one. */
      const fetch = (customer: Customer, pocket: KeyTokens): Effect.Effect<Bucket> => {
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

      const received = (pocket: KeyTokens, bucket: Bucket): boolean => {
        const now = monotonic()
        if ("waitMs" in bucket) {
          pocket.refused(bucket.waitMs, now)
          return false
        }
        pocket.received(bucket.taken - 1, bucket.left, now)
        return true
      }

      /** A new error costs more than all else of a refusal, and the refusals of a flood are equal. */
      let refusal: RateLimitExceeded | undefined
      const exceeded = ({ plan, requestsPerSecond }: Customer, pocket: KeyTokens) => {
        const seconds = Math.max(1, Math.ceil(pocket.refusedFor(monotonic()) / 1_000))
        const last = refusal?.error.details
        if (refusal !== undefined && last?.plan === plan && last.allowed === requestsPerSecond && last.retryAfterSeconds === seconds)
          return refusal
        refusal = RateLimitExceeded.of(plan, requestsPerSecond, seconds)
        return refusal
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
