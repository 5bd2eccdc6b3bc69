/**
 * Authenticates senders of facts. An address that sends wrong tokens is rate-limited as in the admin API. Tokens are
 * compared in constant time.
 */
import { createHash, timingSafeEqual } from "node:crypto"
import { InvalidFeedToken, type ServiceUnavailable, TooManyHandshakes } from "@matchpoint/contracts/http/errors"
import { FEED_TOKEN_HEADER } from "@matchpoint/contracts/http/feed/FactsApi"
import { boundedCache } from "@matchpoint/domain/boundedCache"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { FeedConfig } from "@matchpoint/game/feed/FeedConfig"
import { type FeedGrant, FeedToken } from "@matchpoint/game/feed/intake/FeedToken"
import { FailedAttempts } from "@matchpoint/metering/FailedAttempts"
import { Clock, Effect, Exit, Layer, Option, Redacted } from "effect"
import { LRUCache } from "lru-cache"
import { ScopedTokens } from "./ScopedTokens.ts"

const REMEMBERED_ADDRESSES = 10_000

export const FeedTokenLayer = Layer.effect(
  FeedToken,
  Effect.gen(function* () {
    const { forgetAfterSeconds, token, wrongTokens } = yield* FeedConfig
    const scoped = yield* ScopedTokens
    const expected = digest(Redacted.value(token))
    const now = monotonicOf(yield* Clock.Clock)
    const failures = new FailedAttempts({
      atMost: wrongTokens,
      forgetAfterMs: forgetAfterSeconds * 1_000,
      capacity: REMEMBERED_ADDRESSES,
    })
    /** Pairs of address and token digest that were accepted. */
    const proven = new LRUCache<string, true>(boundedCache(REMEMBERED_ADDRESSES))

    const expectPatience = Effect.fnUntraced(function* (address: string) {
      const wait = failures.waitOf(address, now())
      if (wait > 0) return yield* TooManyHandshakes.wrongTokens("feed", wait)
    })

    const grantOf = (given: string, hash: Buffer): Effect.Effect<Option.Option<FeedGrant>, ServiceUnavailable> =>
      timingSafeEqual(hash, expected) ? Effect.succeedSome(null) : scoped.verify(given)

    const check = Effect.fnUntraced(function* (address: string, candidates: ReadonlyArray<string | undefined>) {
      const given = candidates.find((candidate) => candidate !== undefined)
      if (given === undefined) return yield* missing
      const hash = digest(given)
      const key = `${address} ${hash.toString("base64")}`
      if (!proven.has(key)) yield* expectPatience(address)
      // A guess counts even if its answer takes too long or the sender does not wait for it.
      const grant = yield* Effect.onExit(grantOf(given, hash), (exit) =>
        Effect.sync(() => {
          if (Exit.isSuccess(exit) ? Option.isNone(exit.value) : !proven.has(key)) failures.failed(address, now())
        }),
      )
      if (Option.isSome(grant)) {
        proven.set(key, true)
        return grant.value
      }
      proven.delete(key)
      return yield* wrong
    })

    return FeedToken.of({ check, checkAttemptLimit: expectPatience })
  }),
).pipe(Layer.provide(ScopedTokens.layer))

const missing = InvalidFeedToken.because(`no feed token: send it as ${FEED_TOKEN_HEADER} or as ?token=`)
const wrong = InvalidFeedToken.because("the feed token is unknown or revoked")

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()
