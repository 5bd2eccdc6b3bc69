/**
 * Finds the customer of an API key. Store results are cached for seconds, so a busy key causes few queries and never
 * waits for one. Changes by operators take effect within 4 seconds. Reading the key from a request is left to the
 * transports.
 */
import { InvalidApiKey, ServiceUnavailable, TooManyHandshakes } from "@matchpoint/contracts/http/errors"
import type { ApiKeyId, Customer } from "@matchpoint/domain/accounts"
import { MeteringConfig } from "@matchpoint/metering/MeteringConfig"
import { monotonicOf } from "@matchpoint/metering/monotonic"
import { TokenBuckets } from "@matchpoint/realtime/TokenBuckets"
import { ApiKeys } from "@matchpoint/store/keys/ApiKeys"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Clock, Context, Duration, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { makeKeyRefresh } from "./KeyRefresh.ts"
import { type KnownKey, KnownKeys } from "./KnownKeys.ts"

/** Time for which a result is used, measured from the query. */
const KEEP_MS = 4_000
/** Age from which a result in use is refreshed, in one query with others. */
const REFRESH_MS = 2_000
/**
 * Time for which a rejected key stays rejected. A key that was tried before it was created can be unknown for this
 * long.
 */
const KEEP_REFUSED_MS = 2_000
/** Time limit of a store query. */
const ANSWER_WITHIN = "3 seconds"
/** Pause after a failed query, during which the store is not queried. */
const LEAVE_ALONE_MS = 1_000
/** Longest key that is looked up. Our keys have 40 characters, and longer input is not worth hashing. */
const MAX_SECRET_LENGTH = 200
/** Concurrent queries for keys not seen before. */
const MAX_STRANGERS_AT_ONCE = 1_000
/** Unknown keys allowed per address and second. Many customers may share one address. */
const TRIES_PER_SECOND = 5
const TRIES_AT_ONCE = 50
const REMEMBERED_ADDRESSES = 50_000

export const howToAuthenticate = "send a valid API key in the header x-api-key or as a bearer token"

const unknown = InvalidApiKey.because(howToAuthenticate)
const unavailable = ServiceUnavailable.because("API keys cannot be checked at the moment; try again")
const tooMany = TooManyHandshakes.tries(TRIES_PER_SECOND)

export type NotAuthenticated = InvalidApiKey | ServiceUnavailable | TooManyHandshakes

export class Authenticator extends Context.Service<
  Authenticator,
  {
    /**
     * Returns the customer of a key. `address` is called only for keys not seen before; without it, failed attempts are
     * not counted. If the store does not answer, cached keys of paid plans keep working for metering's grace period,
     * and all other keys fail with `ServiceUnavailable`.
     */
    readonly authenticate: (secret: Redacted.Redacted<string>, address?: () => string) => Effect.Effect<Customer, NotAuthenticated>
    /** Takes over the result of another store query for these keys, made at `askedAt` (monotonic ms). */
    readonly confirm: (current: ReadonlyMap<ApiKeyId, Customer>, askedAt: number) => void
    /** Removes the cached result, so that the next use of the key queries the store. */
    readonly forget: (keyId: ApiKeyId) => void
  }
>()("@matchpoint/service-gateway/keys/Authenticator") {
  static readonly layer = Layer.effect(
    Authenticator,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const scope = yield* Effect.scope
      const monotonic = monotonicOf(yield* Clock.Clock)
      const { graceLasts } = yield* MeteringConfig
      const graceMs = Duration.toMillis(graceLasts)
      const known = new KnownKeys()
      const tries = new TokenBuckets({ perSecond: TRIES_PER_SECOND, burst: TRIES_AT_ONCE, capacity: REMEMBERED_ADDRESSES })
      /** Running store queries by key. */
      const asking = new Map<string, Fiber.Fiber<Option.Option<Customer>, ServiceUnavailable>>()
      /**
       * The running queries for keys never seen before. Their number is limited. Refreshes need no limit, because there
       * is at most one per known key.
       */
      const strangers = new Set<string>()
      let isDown = false
      let leaveAloneUntil = 0

      const failed = Effect.fnUntraced(function* (error: unknown) {
        leaveAloneUntil = monotonic() + LEAVE_ALONE_MS
        if (isDown) return
        isDown = true
        yield* Effect.logError("API keys cannot be checked", error)
      })

      const answered = Effect.suspend(() => {
        if (!isDown) return Effect.void
        isDown = false
        return Effect.logInfo("API keys can be checked again")
      })

      /** Applies the time limit to a store query and tracks whether the store is available. */
      const asked = <A>(question: Effect.Effect<A, StoreError>) =>
        question.pipe(
          Effect.timeout(ANSWER_WITHIN),
          // An error that is not retryable concerns this key only and does not mark the store as unavailable.
          Effect.tapError((error) =>
            error._tag === "TimeoutError" || error.isRetryable ? failed(error) : Effect.logError("an API key cannot be checked", error),
          ),
          Effect.mapError(() => unavailable),
          Effect.tap(answered),
        )

      const refresh = yield* makeKeyRefresh(known, (keyIds) => asked(keys.current(keyIds)))

      const question = Effect.fnUntraced(
        function* (secret: Redacted.Redacted<string>) {
          const askedAt = monotonic()
          const forgotten = known.forgotten
          const found = yield* asked(keys.verify(secret))
          if (Option.isNone(found)) known.refuse(Redacted.value(secret), askedAt)
          else if (known.forgotten === forgotten) known.keep(Redacted.value(secret), found.value, askedAt)
          return found
        },
        (effect, secret) =>
          Effect.ensuring(
            effect,
            Effect.sync(() => {
              asking.delete(Redacted.value(secret))
              strangers.delete(Redacted.value(secret))
            }),
          ),
      )

      /**
       * Starts the query, or joins a running one for the same key. It continues if one of the waiting requests is
       * interrupted.
       */
      const ask = (secret: Redacted.Redacted<string>) =>
        Effect.suspend(() => {
          const text = Redacted.value(secret)
          const already = asking.get(text)
          if (already !== undefined) return Effect.succeed(already)
          return Effect.map(Effect.forkIn(question(secret), scope), (fiber) => {
            // The query may have finished synchronously.
            if (fiber.pollUnsafe() !== undefined) return fiber
            asking.set(text, fiber)
            if (known.get(text) === undefined) strangers.add(text)
            return fiber
          })
        })

      const answerOf = (secret: Redacted.Redacted<string>) =>
        Effect.flatMap(Effect.flatMap(ask(secret), Fiber.join), (found) => Effect.mapError(Effect.fromOption(found), () => unknown))

      const inGrace = ({ askedAt, customer, found }: KnownKey) =>
        customer.plan !== "free" && monotonic() - askedAt < graceMs ? found : Effect.fail(unavailable)

      const ofKnown = (secret: Redacted.Redacted<string>, one: KnownKey, now: number): Effect.Effect<Customer, NotAuthenticated> => {
        const age = now - one.askedAt
        if (age < REFRESH_MS) return one.found
        const mayAsk = now >= leaveAloneUntil
        if (age < KEEP_MS) {
          if (mayAsk) refresh(Redacted.value(secret), one)
          return one.found
        }
        if (!mayAsk) return inGrace(one)
        return Effect.catchIf(answerOf(secret), isUnavailable, () => inGrace(one))
      }

      const ofStranger = (
        secret: Redacted.Redacted<string>,
        now: number,
        address: (() => string) | undefined,
      ): Effect.Effect<Customer, NotAuthenticated> => {
        const refusedAt = known.refusedAt(Redacted.value(secret))
        if (refusedAt !== undefined && now - refusedAt < KEEP_REFUSED_MS) return Effect.fail(unknown)
        if (now < leaveAloneUntil || strangers.size >= MAX_STRANGERS_AT_ONCE) return Effect.fail(unavailable)
        if (address === undefined) return answerOf(secret)
        const from = address()
        if (!tries.has(from, now)) return Effect.fail(tooMany)
        return Effect.tapError(answerOf(secret), (error) => Effect.sync(() => error === unknown && tries.take(from, now)))
      }

      return Authenticator.of({
        authenticate: (secret, address) =>
          Effect.suspend((): Effect.Effect<Customer, NotAuthenticated> => {
            const text = Redacted.value(secret)
            if (text.length === 0 || text.length > MAX_SECRET_LENGTH) return Effect.fail(unknown)
            const now = monotonic()
            const one = known.get(text)
            return one === undefined ? ofStranger(secret, now, address) : ofKnown(secret, one, now)
          }),
        confirm: known.confirm.bind(known),
        forget: known.forget.bind(known),
      })
    }),
  )
}

const isUnavailable = (error: NotAuthenticated): error is ServiceUnavailable => error === unavailable
