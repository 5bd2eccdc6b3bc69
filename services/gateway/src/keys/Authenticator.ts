/**
 * Finds the customer of an API key. Results are cached for a few seconds and refreshed in the background, so a key in
 * constant use causes few queries and its requests do not wait for them. Changes by operators take effect within 4
 * seconds. The transports extract the key from a request.
 */
import { InvalidApiKey, ServiceUnavailable, TooManyHandshakes } from "@matchpoint/contracts/http/errors"
import type { ApiKeyId, Customer } from "@matchpoint/domain/accounts"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { MeteringConfig } from "@matchpoint/metering/MeteringConfig"
import { timeoutAwake } from "@matchpoint/metering/timeoutAwake"
import { ApiKeys } from "@matchpoint/store/keys/ApiKeys"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Clock, Context, Duration, Effect, Exit, Fiber, Layer, Option, Redacted } from "effect"
import { makeAddressBuckets } from "../http/AddressBuckets.ts"
import { makeKeyRefresh } from "./KeyRefresh.ts"
import { type KnownKey, KnownKeys } from "./KnownKeys.ts"

/** How long a result is used, from its query on. */
const KEEP_MS = 4_000
/** Age at which a result is refreshed at its next use. One query covers many keys. */
const REFRESH_MS = 2_000
/**
 * How long a rejected key is rejected without another query. A key that was tried before it was created can therefore
 * be rejected for this long after its creation.
 */
const KEEP_REFUSED_MS = 2_000
/** Timeout of a query, including the wait for the queries before it. */
const ANSWER_WITHIN = "3 seconds"
/** Pause after a failed query. */
const LEAVE_ALONE_MS = 1_000
/** Our keys have 40 characters, so hashing longer input would be a waste. */
const MAX_SECRET_LENGTH = 200
/**
 * Uncached keys that wait for the database, as a bound of memory. The store looks up hundreds of keys in one statement,
 * so a queue of this length takes about a second. The timeout bounds the wait.
 */
const MAX_PENDING_SECRETS = 50_000
/** Unknown keys per IP address. Not lower, because many customers may share one address. */
const TRIES_PER_SECOND = 5
const TRIES_AT_ONCE = 50

const missing = InvalidApiKey.because("the request has no API key; send yours in the header x-api-key or as a bearer token")
const unknown = InvalidApiKey.because(
  "the API key is unknown, expired or revoked; check the key that you send in the header x-api-key or as a bearer token",
)
const unavailable = ServiceUnavailable.because("API keys cannot be checked at the moment; try again")
const tooMany = TooManyHandshakes.tries(TRIES_PER_SECOND)

export type NotAuthenticated = InvalidApiKey | ServiceUnavailable | TooManyHandshakes

export class Authenticator extends Context.Service<
  Authenticator,
  {
    /**
     * `address` is called only for keys that are not in the cache. Without it, failed attempts are not counted. If the
     * database does not respond, cached keys of paid plans remain valid for the grace period of metering, and all other
     * keys fail with `ServiceUnavailable`.
     */
    readonly authenticate: (secret: Redacted.Redacted<string>, address?: () => string) => Effect.Effect<Customer, NotAuthenticated>
    /** Updates the cache with a query that was made elsewhere at `queriedAt`, in monotonic milliseconds. */
    readonly confirm: (current: ReadonlyMap<ApiKeyId, Customer>, queriedAt: number) => void
    /** The next use of the key queries the database. */
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
      const tries = yield* makeAddressBuckets({ name: "keys", perSecond: TRIES_PER_SECOND, burst: TRIES_AT_ONCE, now: monotonic })
      /** Running queries for single keys, by secret. */
      const running = new Map<string, Fiber.Fiber<Option.Option<Customer>, ServiceUnavailable>>()
      /**
       * Uncached keys for which a query is running, limited in number. Refreshes need no such limit, because at most
       * one runs per cached key.
       */
      const pendingSecrets = new Set<string>()
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

      const inTime = timeoutAwake(ANSWER_WITHIN)
      /** Adds the timeout and records whether the database is available. */
      const monitored = <A>(queryKey: Effect.Effect<A, StoreError>) =>
        queryKey.pipe(
          inTime,
          // An error that is not retryable concerns only this key.
          Effect.tapError((error) =>
            error._tag === "TimeoutError" || error.isRetryable ? failed(error) : Effect.logError("an API key cannot be checked", error),
          ),
          Effect.mapError(() => unavailable),
          Effect.tap(answered),
        )

      const refresh = yield* makeKeyRefresh(known, (keyIds) => monitored(keys.current(keyIds)))

      const queryKey = Effect.fnUntraced(
        function* (secret: Redacted.Redacted<string>) {
          const queriedAt = monotonic()
          const forgotten = known.forgotten
          const found = yield* monitored(keys.verify(secret))
          if (Option.isNone(found)) known.refuse(Redacted.value(secret), queriedAt)
          else if (known.forgotten === forgotten) known.keep(Redacted.value(secret), found.value, queriedAt)
          return found
        },
        (effect, secret) =>
          Effect.ensuring(
            effect,
            Effect.sync(() => {
              running.delete(Redacted.value(secret))
              pendingSecrets.delete(Redacted.value(secret))
            }),
          ),
      )

      /** Joins a running query for the same key. It continues even if a request that waits for it is interrupted. */
      const startQuery = (secret: Redacted.Redacted<string>) =>
        Effect.suspend(() => {
          const text = Redacted.value(secret)
          const already = running.get(text)
          if (already !== undefined) return Effect.succeed(already)
          return Effect.map(Effect.forkIn(queryKey(secret), scope), (fiber) => {
            // A query that has finished must not be registered as running.
            if (fiber.pollUnsafe() !== undefined) return fiber
            running.set(text, fiber)
            if (known.get(text) === undefined) pendingSecrets.add(text)
            return fiber
          })
        })

      const queryResult = (secret: Redacted.Redacted<string>) =>
        Effect.flatMap(Effect.flatMap(startQuery(secret), Fiber.join), (found) => Effect.mapError(Effect.fromOption(found), () => unknown))

      const inGrace = ({ queriedAt, customer, found }: KnownKey) =>
        customer.plan !== "free" && monotonic() - queriedAt < graceMs ? found : Effect.fail(unavailable)

      const ofKnown = (secret: Redacted.Redacted<string>, one: KnownKey, now: number): Effect.Effect<Customer, NotAuthenticated> => {
        const age = now - one.queriedAt
        if (age < REFRESH_MS) return one.found
        const mayQuery = now >= leaveAloneUntil
        if (age < KEEP_MS) {
          if (mayQuery) refresh(Redacted.value(secret), one)
          return one.found
        }
        if (!mayQuery) return inGrace(one)
        return Effect.catchIf(queryResult(secret), isUnavailable, () => inGrace(one))
      }

      const ofUnknown = (
        secret: Redacted.Redacted<string>,
        now: number,
        address: (() => string) | undefined,
      ): Effect.Effect<Customer, NotAuthenticated> => {
        const refusedAt = known.refusedAt(Redacted.value(secret))
        if (refusedAt !== undefined && now - refusedAt < KEEP_REFUSED_MS) return Effect.fail(unknown)
        if (now < leaveAloneUntil || pendingSecrets.size >= MAX_PENDING_SECRETS) return Effect.fail(unavailable)
        if (address === undefined) return queryResult(secret)
        const from = address()
        if (!tries.has(from)) return Effect.fail(tooMany)
        // A guess counts even if its answer takes too long or the client does not wait for it.
        return Effect.onExit(queryResult(secret), (exit) => Effect.sync(() => Exit.isFailure(exit) && tries.take(from)))
      }

      return Authenticator.of({
        authenticate: (secret, address) =>
          Effect.suspend((): Effect.Effect<Customer, NotAuthenticated> => {
            const text = Redacted.value(secret)
            if (text.length === 0) return Effect.fail(missing)
            if (text.length > MAX_SECRET_LENGTH) return Effect.fail(unknown)
            const now = monotonic()
            const one = known.get(text)
            return one === undefined ? ofUnknown(secret, now, address) : ofKnown(secret, one, now)
          }),
        confirm: known.confirm.bind(known),
        forget: known.forget.bind(known),
      })
    }),
  )
}

const isUnavailable = (error: NotAuthenticated): error is ServiceUnavailable => error === unavailable
