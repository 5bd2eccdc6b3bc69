import { assert, describe, it } from "@effect/vitest"
import { AccountId, ApiKeyId, termsOf } from "@matchpoint/domain/accounts"
import * as LedgerMemory from "@matchpoint/metering/LedgerMemory"
import { Meter } from "@matchpoint/metering/Meter"
import { RateLimits } from "@matchpoint/metering/RateLimits"
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { standings } from "../../src/http/Standing.ts"
import { KnownCustomer } from "../../src/KnownKeys.ts"

const Limits = RateLimits.layer.pipe(
  Layer.provideMerge(Meter.layer),
  Layer.provide(LedgerMemory.layer(10_000_000)),
  Layer.provide(RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))),
)

const customer = {
  accountId: AccountId.make("00000000-0000-4000-8000-00000000000a"),
  keyId: ApiKeyId.make("00000000-0000-4000-8000-00000000000b"),
  ...termsOf("scale"),
}

describe("Standing", () => {
  it.effect("is looked up once a second, and for a customer whose terms have changed at once", () =>
    Effect.gen(function* () {
      const standingOf = standings(yield* Meter, yield* RateLimits)
      const known = new KnownCustomer(customer)
      const first = standingOf(known, 0)
      assert.strictEqual(standingOf(known, first.goodUntil - 1), first)
      const next = standingOf(known, first.goodUntil)
      assert.notStrictEqual(next, first)
      assert.isAtMost(next.goodUntil - first.goodUntil, 1_000)

      const changed = standingOf(new KnownCustomer({ ...customer, requestsPerSecond: 7 }), first.goodUntil)
      const headers: Record<string, string> = {}
      changed.tell(headers, first.goodUntil)
      assert.include(headers["ratelimit-policy"], '"second";q=7;')
      assert.strictEqual(changed.account, next.account)
    }).pipe(Effect.provide(Limits)),
  )

  it.effect("of a customer whom nobody remembers is looked up each time", () =>
    Effect.gen(function* () {
      const standingOf = standings(yield* Meter, yield* RateLimits)
      assert.strictEqual(standingOf(customer, 0).key, standingOf(customer, 0).key)
      assert.notStrictEqual(standingOf(customer, 0), standingOf(customer, 0))
    }).pipe(Effect.provide(Limits)),
  )
})
