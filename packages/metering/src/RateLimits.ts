/**
 * Requests per second, by key: a token bucket that refills at the agreed rate and holds two seconds' worth. The buckets are effect's
 * RateLimiter's (memory for one gateway, Redis for several); tokens of fast keys are fetched several at a time and kept here for a
 * second, so that a request costs no round trip. When the shared buckets do not answer, each gateway limits on its own.
 */
import { RateLimitExceeded } from "@matchpoint/contracts/http/errors"
import type { Customer } from "@matchpoint/domain/accounts"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { MeteringConfig } from "./MeteringConfig.ts"

/** A bucket holds this many seconds' worth. */
export const BURST_SECONDS = 2
/** Tokens of one fetch: this share of a second's. */
const SHARE = 10
const MAX_FETCH = 200
const KEEP_MS = 1_000
/** The shared buckets have this long to answer, and are left alone for as long after they failed. */
const ANSWER_WITHIN = "250 millis"
const LEAVE_ALONE_MS = 1_000

interface Pocket {
  tokens: number
  /** Monotonic ms. */
  until: number
  /** Left in the shared bucket when it answered last. */
  left: number
}

export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** One request of the key, at once. False: `acquire` it. */
    readonly take: (customer: Customer) => boolean
    readonly acquire: (customer: Customer) => Effect.Effect<void, RateLimitExceeded>
    /** Requests the key may send now, about. */
    readonly remaining: (customer: Customer) => number
  }
>()("@matchpoint/metering/RateLimits") {
  /** Requires effect's RateLimiter. */
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const shared = yield* RateLimiter.RateLimiter
      const own = yield* Effect.provide(RateLimiter.make, RateLimiter.layerStoreMemory)
      const { enabled } = yield* MeteringConfig
      const clock = yield* Clock.Clock
      const monotonic = () => Number(clock.currentTimeNanosUnsafe() / 1_000n) / 1_000
      const pockets = new Map<string, Pocket>()
      let leaveAloneUntil = 0

      const consume = (limiter: RateLimiter.RateLimiter, { keyId, requestsPerSecond }: Customer, tokens: number) =>
        limiter.consume({
          algorithm: "token-bucket",
          onExceeded: "fail",
          key: keyId,
          limit: requestsPerSecond * BURST_SECONDS,
          window: Duration.seconds(BURST_SECONDS),
          tokens,
        })

      const fetch = (customer: Customer, tokens: number) => {
        if (monotonic() < leaveAloneUntil) return consume(own, customer, tokens)
        return consume(shared, customer, tokens).pipe(
          Effect.timeout(ANSWER_WITHIN),
          Effect.catchIf(
            (error) => error._tag === "TimeoutError" || error.reason._tag === "RateLimitStoreError",
            (error) => {
              leaveAloneUntil = monotonic() + LEAVE_ALONE_MS
              return Effect.andThen(
                Effect.logWarning("the shared rate limits do not answer; limiting on my own", error),
                consume(own, customer, tokens),
              )
            },
          ),
        )
      }

      const take = (customer: Customer): boolean => {
        if (!enabled) return true
        const pocket = pockets.get(customer.keyId)
        if (pocket === undefined || pocket.tokens <= 0 || pocket.until < monotonic()) return false
        pocket.tokens -= 1
        return true
      }

      return RateLimits.of({
        take,
        acquire: Effect.fnUntraced(function* (customer) {
          if (take(customer)) return
          const tokens = Math.min(MAX_FETCH, Math.max(1, Math.floor(customer.requestsPerSecond / SHARE)))
          const result = yield* fetch(customer, tokens).pipe(
            Effect.map((consumed) => ({ consumed, tokens })),
            Effect.catch((error) =>
              tokens === 1 ? Effect.fail(error) : Effect.map(fetch(customer, 1), (consumed) => ({ consumed, tokens: 1 })),
            ),
            Effect.mapError((error) => {
              const wait =
                error._tag === "RateLimiterError" && error.reason._tag === "RateLimitExceeded"
                  ? error.reason.retryAfter
                  : Duration.seconds(1)
              return RateLimitExceeded.of(customer.plan, customer.requestsPerSecond, Math.max(1, Math.ceil(Duration.toSeconds(wait))))
            }),
          )
          pockets.set(customer.keyId, {
            tokens: result.tokens - 1,
            until: monotonic() + KEEP_MS,
            left: Math.floor(result.consumed.remaining),
          })
        }),
        remaining: (customer) => {
          const pocket = pockets.get(customer.keyId)
          return pocket === undefined ? customer.requestsPerSecond : Math.min(customer.requestsPerSecond, pocket.left + pocket.tokens)
        },
      })
    }),
  )
}
