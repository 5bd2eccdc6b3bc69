import { assert, it } from "@effect/vitest"
import { SharedCounts } from "@matchpoint/metering/counts/SharedCounts"
import { CountsBook, countsOf } from "@matchpoint/metering/counts/SharedCountsMemory"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { type AddressBuckets, makeAddressBuckets } from "../../src/http/AddressBuckets.ts"

const ADDRESS = "192.0.2.1"

/** Takes until the address is rejected, at most `most` times. Returns how often it was accepted. */
const takeMany = (buckets: AddressBuckets, most: number, address = ADDRESS): number => {
  let taken = 0
  while (taken < most && buckets.take(address)) taken += 1
  return taken
}

const gateway = Effect.flatMap(Clock.Clock, (clock) =>
  makeAddressBuckets({ name: "test", perSecond: 10, burst: 100, now: () => clock.currentTimeMillisUnsafe() }),
)

it.effect("limits an address on all gateways together, within a second", () =>
  Effect.gen(function* () {
    const [one, two] = yield* Effect.all([gateway, gateway]).pipe(Effect.provideService(SharedCounts, countsOf(new CountsBook())))
    assert.strictEqual(takeMany(one, 90), 90)
    assert.strictEqual(takeMany(two, 90), 90)
    yield* TestClock.adjust("1 second")
    // 180 were used. The gateway that reported last has learned it, the other one does with its next report.
    assert.isFalse(one.has(ADDRESS) && two.has(ADDRESS))
    assert.strictEqual(takeMany(one, 90, "192.0.2.2"), 90)
    let accepted = 180
    for (let second = 1; second <= 60; second++) {
      accepted += takeMany(one, 1_000) + takeMany(two, 1_000)
      yield* TestClock.adjust("1 second")
    }
    // The burst, the refill of a minute, and what both gateways accept within a second.
    assert.isAtMost(accepted, 100 + 610 + 100)
    assert.isAtLeast(accepted, 600)
  }),
)

it.effect("limits by its own buckets on the only gateway", () =>
  Effect.gen(function* () {
    const buckets = yield* gateway
    assert.strictEqual(takeMany(buckets, 1_000), 100)
    assert.isFalse(buckets.has(ADDRESS))
    yield* TestClock.adjust("1 second")
    assert.strictEqual(takeMany(buckets, 1_000), 10)
  }),
)
