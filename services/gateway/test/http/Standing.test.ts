import { assert, describe, it } from "@effect/vitest"
import { AccountId, ApiKeyId, termsOf } from "@matchpoint/domain/accounts"
import * as LedgerMemory from "@matchpoint/metering/LedgerMemory"
import { Meter } from "@matchpoint/metering/Meter"
import { RateLimits } from "@matchpoint/metering/RateLimits"
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { standings } from "../../src/http/Standing.ts"

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
      const first = standingOf(customer, 0)
      assert.strictEqual(standingOf(customer, first.goodUntil - 1), first)
      const next = standingOf(customer, first.goodUntil)
      assert.notStrictEqual(next, first)
      assert.isAtMost(next.goodUntil - first.goodUntil, 1_000)

      const changed = standingOf({ ...customer, requestsPerSecond: 7 }, first.goodUntil)
      const headers: Record<string, string> = {}
      changed.tell(headers, first.goodUntil)
      assert.include(headers["ratelimit-policy"], '"second";q=7;')
      assert.strictEqual(changed.account, next.account)
    }).pipe(Effect.provide(Limits)),
  )
})
