/**
 * Feed tokens that operators have issued. The intake checks tokens many times per second, so results are cached; a
 * revoked token stops working within seconds. While the database does not respond, tokens that were valid before keep
 * working for a limited time; others cannot be checked.
 */
import { ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import type { FeedScope } from "@matchpoint/domain/feedTokens"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { FEED_TOKEN_PREFIX, FeedTokens } from "@matchpoint/store/keys/FeedTokens"
import { Clock, Context, Effect, Layer, Option, Redacted, Semaphore } from "effect"

/** How long a result is cached. */
const KEEP_MS = 3_000
/** How long a token that was valid before keeps working while the database does not respond. */
const GRACE_MS = 10 * 60_000
/** Pause after a failed query. */
const LEAVE_ALONE_MS = 5_000
const ANSWER_WITHIN = "3 seconds"
const CAPACITY = 10_000
/** Queries at once, so that requests with wrong tokens cannot use up all connections. */
const QUESTIONS_AT_ONCE = 4
/** Longer tokens are rejected without a query. Issued tokens have 40 characters. */
const MAX_LENGTH = 100

interface Known {
  readonly scope: FeedScope
  readonly queriedAt: number
}

export class ScopedTokens extends Context.Service<
  ScopedTokens,
  {
    /** None if the token is unknown or revoked. Fails if it cannot be checked because the database does not respond. */
    readonly verify: (given: string) => Effect.Effect<Option.Option<FeedScope>, ServiceUnavailable>
  }
>()("@matchpoint/service-feed/intake/ScopedTokens") {
  static readonly layer = Layer.effect(
    ScopedTokens,
    Effect.gen(function* () {
      const tokens = yield* FeedTokens
      const now = monotonicOf(yield* Clock.Clock)
      const turns = yield* Semaphore.make(QUESTIONS_AT_ONCE)
      /** Valid tokens, least recently checked first. Wrong tokens are not cached. */
      const known = new Map<string, Known>()
      /** Monotonic milliseconds. Undefined unless the last query failed. */
      let leaveAloneUntil: number | undefined

      const keep = (given: string, scope: FeedScope, queriedAt: number) => {
        known.delete(given)
        known.set(given, { scope, queriedAt })
        if (known.size <= CAPACITY) return
        for (const oldest of known.keys()) {
          known.delete(oldest)
          return
        }
      }

      const fresh = (given: string) => {
        const one = known.get(given)
        return one !== undefined && now() - one.queriedAt < KEEP_MS ? one : undefined
      }

      /** An expired result, while the database does not respond. Fails if there is none, or if it is older than `GRACE_MS`. */
      const inGrace = (given: string) => {
        const before = known.get(given)
        return before !== undefined && now() - before.queriedAt < GRACE_MS ? Effect.succeedSome(before.scope) : Effect.fail(unavailable)
      }

      const failed = Effect.fnUntraced(function* (error: unknown) {
        const wasDown = leaveAloneUntil !== undefined
        leaveAloneUntil = now() + LEAVE_ALONE_MS
        if (!wasDown) yield* Effect.logWarning("cannot check feed tokens; tokens that were valid before keep working", error)
      })

      const queryToken = Effect.fnUntraced(function* (given: string) {
        // While this request waited for its turn, another may have checked the same token.
        const one = fresh(given)
        if (one !== undefined) return Option.some(one.scope)
        const queriedAt = now()
        if (leaveAloneUntil !== undefined && queriedAt < leaveAloneUntil) return yield* inGrace(given)
        return yield* tokens.verify(Redacted.make(given)).pipe(
          Effect.timeout(ANSWER_WITHIN),
          Effect.tap((found) =>
            Effect.sync(() => {
              leaveAloneUntil = undefined
              if (Option.isNone(found)) known.delete(given)
              else keep(given, found.value, queriedAt)
            }),
          ),
          Effect.catch((error) => Effect.andThen(failed(error), inGrace(given))),
        )
      }, turns.withPermit)

      return ScopedTokens.of({
        verify: Effect.fnUntraced(function* (given: string) {
          if (!given.startsWith(FEED_TOKEN_PREFIX) || given.length > MAX_LENGTH) return Option.none()
          const one = fresh(given)
          return one === undefined ? yield* queryToken(given) : Option.some(one.scope)
        }),
      })
    }),
  )
}

const unavailable = ServiceUnavailable.because("feed tokens cannot be checked at the moment; try again later")
