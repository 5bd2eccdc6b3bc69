import { assert, describe, it } from "@effect/vitest"
import { AccountId, ApiKeyId, termsOf } from "@matchpoint/domain/accounts"
import { Period } from "@matchpoint/domain/metering/periods"
import { Lease } from "@matchpoint/metering/Lease"
import { LedgerClock } from "@matchpoint/metering/LedgerClock"
import * as LedgerMemory from "@matchpoint/metering/LedgerMemory"
import { Meter } from "@matchpoint/metering/Meter"
import { RateLimits } from "@matchpoint/metering/RateLimits"
import type { OwnHeaders } from "@matchpoint/uws/http/SharedHeaders"
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { customerLoader, KnownCustomer } from "../../src/keys/KnownCustomer.ts"

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

describe("KnownCustomer", () => {
  it.effect("loads its state once per second, and reports limits by its current terms", () =>
    Effect.gen(function* () {
      const meter = yield* Meter
      const met: Array<number> = []
      const account: typeof meter.account = (customer, moment = 0) => {
        met.push(moment)
        return meter.account(customer, moment)
      }
      const meet = customerLoader(Meter.of({ ...meter, account }), yield* RateLimits)
      const known = new KnownCustomer(customer)
      for (const moment of [0, 400, 999, 1_000, 1_700, 2_001]) assert.strictEqual(meet(known, moment), known)
      assert.deepStrictEqual(met, [0, 1_000, 2_001])

      const headers: OwnHeaders = {}
      meet({ ...customer, requestsPerSecond: 7 }, 2_002).addLimits(headers, 2_002)
      assert.include(String(headers["ratelimit-policy"]), '"second";q=7;')
      assert.include(String(headers["ratelimit"]), '"second";r=7;')
    }).pipe(Effect.provide(Limits)),
  )

  it.effect("reports a remaining quota that decreases with each request, and keeps using the same lease", () =>
    Effect.gen(function* () {
      const meter = yield* Meter
      const known = customerLoader(meter, yield* RateLimits)(customer, 0)
      const remaining = () => {
        const headers: OwnHeaders = {}
        known.addLimits(headers, 0)
        return Number(/"month";r=(\d+)/.exec(String(headers["ratelimit"]))?.[1])
      }
      assert.strictEqual(remaining(), customer.requestsPerMonth)
      assert.isUndefined(known.reserve(0))
      const first = yield* meter.acquire(known)
      known.serve(first)
      const left = remaining()
      for (const taken of [1, 2, 3]) {
        assert.strictEqual(known.reserve(0), first)
        known.serve(first)
        assert.strictEqual(remaining(), left - taken)
      }
      assert.strictEqual(first.used, 4)
    }).pipe(Effect.provide(Limits)),
  )

  it.effect("loads its state again once the ledger has reported its time, and counts requests on that day", () =>
    Effect.gen(function* () {
      const meter = yield* Meter
      const clock = new LedgerClock(() => 0)
      const meet = customerLoader(Meter.of({ ...meter, clock }), yield* RateLimits)
      const known = meet(customer, 0)
      clock.set(Date.UTC(2026, 10, 29), 0)
      assert.strictEqual(meet(known, 0), known)
      const lease = new Lease("lease", customer.accountId, Period.make("2026-11"))
      lease.settled(lease.report("gateway", 1, 0), 1)
      assert.isTrue(lease.take())
      known.serve(lease)
      assert.deepStrictEqual(
        lease.report("gateway", 0, 0).lines.map(({ day }) => day),
        ["2026-11-29"],
      )
    }).pipe(Effect.provide(Limits)),
  )

  it("grants no request and reports no limits before its state is loaded", () => {
    const known = new KnownCustomer(customer)
    const headers = {}
    known.addLimits(headers, 0)
    assert.deepStrictEqual([known.take(), known.reserve(0), headers], [false, undefined, {}])
  })
})
