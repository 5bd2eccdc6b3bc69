/**
 * Turns a secret into the key's owner. Asks the store and remembers the answer for seconds, so that a busy key costs the database little
 * and never waits for it, and what an operator changes is true within 4 seconds. Where the secret stands in a request is the transports'
 * business.
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

/** An answer is used for this long, counted from the question. */
const KEEP_MS = 4_000
/** One that is older is asked for again while it is used, together with others. */
const REFRESH_MS = 2_000
/** A new key may be called unknown for this long by who tried it before it was there. */
const KEEP_REFUSED_MS = 2_000
/** The store has this long to answer. */
const ANSWER_WITHIN = "3 seconds"
/** A store that failed is left alone for this long. */
const LEAVE_ALONE_MS = 1_000
/** Ours are 40 characters long; a stranger's megabyte is not worth hashing. */
const MAX_SECRET_LENGTH = 200
/** Secrets never seen before that may be looked up at once. */
const MAX_STRANGERS_AT_ONCE = 1_000
/** Secrets that turn out to be nobody's, by address. Customers behind one address may be many. */
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
     * `address`: who tries, asked only for secrets not seen before; without it tries that fail are not counted. While the store does not answer, keys
     * of paid plans that were valid go on working for as long as metering's grace lasts; all others fail with ServiceUnavailable.
     */
    readonly authenticate: (secret: Redacted.Redacted<string>, address?: () => string) => Effect.Effect<Customer, NotAuthenticated>
    /** The store has been asked about these keys elsewhere, at `askedAt` (monotonic ms), and this is what it knew. */
    readonly confirm: (current: ReadonlyMap<ApiKeyId, Customer>, askedAt: number) => void
    /** The store is asked again when the key is used next. */
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
      /** Questions to the store that are not answered yet, by secret. */
      const asking = new Map<string, Fiber.Fiber<Option.Option<Customer>, ServiceUnavailable>>()
      /** Those among them that were never seen before; refreshes of known keys are only as many as those. */
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

      /** Within its time, and known if it fails. */
      const asked = <A>(question: Effect.Effect<A, StoreError>) =>
        question.pipe(
          Effect.timeout(ANSWER_WITHIN),
          // What fails for one key alone says nothing of the others.
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

      /** Everybody who asks for the same secret waits for one answer; who leaves does not take it from the others. */
      const ask = (secret: Redacted.Redacted<string>) =>
        Effect.suspend(() => {
          const text = Redacted.value(secret)
          const already = asking.get(text)
          if (already !== undefined) return Effect.succeed(already)
          return Effect.map(Effect.forkIn(question(secret), scope), (fiber) => {
            // It may have answered at once.
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
