/**
 * Token buckets of API keys that all gateways share, on Effect's `RateLimiter`: in memory (one gateway) or in Redis.
 * While they do not respond, this gateway uses local ones and logs that once.
 */
import type { Customer } from "@matchpoint/domain/accounts"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { Clock, Duration, Effect, Fiber } from "effect"
import { RateLimiter } from "effect/persistence"
import type { LedgerClock } from "./LedgerClock.ts"

/** Capacity of a bucket: the seconds in which the agreed rate fills it. */
export const BURST_SECONDS = 2
/** Time for a response. After that, the local bucket is used. */
const ANSWER_WITHIN = "250 millis"
/** After a failure, only the local buckets are used for this long. Then a single request tries the shared ones again. */
const ASK_AGAIN_MS = 1_000

export type Bucket =
  /** `left` is rounded down. */
  | { readonly taken: number; readonly left: number }
  /** Milliseconds until the bucket has enough tokens. */
  | { readonly taken: 0; readonly waitMs: number }

/** The refill is computed from the ledger's clock, because the system clocks of the gateways may differ. */
export const makeSharedBuckets = Effect.fnUntraced(function* (ledgerClock: LedgerClock) {
  const shared = yield* RateLimiter.RateLimiter
  const clock = yield* Clock.Clock
  const monotonic = monotonicOf(clock)
  const bucketClock = clockOf(clock, () => (ledgerClock.known ? Math.floor(ledgerClock.now()) : clock.currentTimeMillisUnsafe()))
  let own = yield* makeOwn
  let isDown = false
  let askAgainAt = 0

  const consume = (limiter: RateLimiter.RateLimiter, { keyId, requestsPerSecond }: Customer, tokens: number) =>
    limiter
      .consume({
        algorithm: "token-bucket",
        onExceeded: "fail",
        key: keyId,
        limit: requestsPerSecond * BURST_SECONDS,
        window: Duration.seconds(BURST_SECONDS),
        tokens,
      })
      .pipe(
        Effect.provideService(Clock.Clock, bucketClock),
        Effect.map(({ remaining }): Bucket => ({ taken: tokens, left: Math.floor(remaining) })),
        Effect.catchIf(
          (error) => error.reason._tag === "RateLimitExceeded",
          ({ reason }) =>
            Effect.succeed<Bucket>({
              taken: 0,
              waitMs: reason._tag === "RateLimitExceeded" ? Duration.toMillis(reason.retryAfter) : ASK_AGAIN_MS,
            }),
        ),
      )

  /** Buckets in memory cannot fail, so an error is a bug. */
  const consumeOwn = (customer: Customer, tokens: number) => Effect.orDie(consume(own, customer, tokens))

  const lost = Effect.fnUntraced(function* (error: unknown) {
    askAgainAt = monotonic() + ASK_AGAIN_MS
    if (isDown) return
    isDown = true
    own = yield* makeOwn
    yield* Effect.logWarning("the shared rate limits do not respond; this gateway uses its own limits until they do", error)
  })

  const found = Effect.suspend(() => {
    if (!isDown) return Effect.void
    isDown = false
    return Effect.logInfo("the shared rate limits respond again")
  })

  /** Takes all of the tokens or none. */
  return (customer: Customer, tokens: number): Effect.Effect<Bucket> => {
    if (isDown) {
      if (monotonic() < askAgainAt) return consumeOwn(customer, tokens)
      askAgainAt = monotonic() + ASK_AGAIN_MS
    }
    return inTime(consume(shared, customer, tokens)).pipe(
      Effect.tap(found),
      Effect.catch((error) => Effect.andThen(lost(error), consumeOwn(customer, tokens))),
    )
  }
})

/** Adds a timeout unless the result is available at once. For in-memory buckets, a timeout would cost more than the request. */
const inTime = <A, E>(asking: Effect.Effect<A, E>) =>
  Effect.flatMap(Effect.forkChild(asking, { startImmediately: true }), (fiber) => {
    const answer = fiber.pollUnsafe()
    if (answer !== undefined) return answer
    return Fiber.join(fiber).pipe(Effect.timeout(ANSWER_WITHIN), Effect.ensuring(Effect.sync(() => fiber.interruptUnsafe())))
  })

const makeOwn = Effect.provide(RateLimiter.make, RateLimiter.layerStoreMemory)

/** A clock with the time of `now` and the monotonic time of `clock`. */
const clockOf = (clock: Clock.Clock, now: () => number): Clock.Clock => ({
  currentTimeMillisUnsafe: now,
  currentTimeMillis: Effect.sync(now),
  currentTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
  currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
  monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: clock.monotonicTimeNanos,
  sleep: (duration) => clock.sleep(duration),
})
