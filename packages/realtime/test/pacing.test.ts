import { assert, describe, it } from "@effect/vitest"
import { flushWindowMs, MAX_WINDOW_MS, smoothed } from "../src/flushWindow.ts"
import { TokenBuckets } from "../src/TokenBuckets.ts"

describe("flushWindow", () => {
  it("is 0 while the loop has spare time, and never exceeds the maximum", () => {
    assert.deepStrictEqual([0, 0.2, 0.35, 0.45, 0.55, 1].map(flushWindowMs), [0, 0, 0, 10, MAX_WINDOW_MS, MAX_WINDOW_MS])
    assert.strictEqual(flushWindowMs(smoothed(0, 1)), 0)
  })
})

describe("TokenBuckets", () => {
  it("allows a burst, then the configured rate, and drops the least recently used key", () => {
    const buckets = new TokenBuckets({ perSecond: 2, burst: 3, capacity: 2 })
    const take = (key: string, now: number, times: number) => Array.from({ length: times }, () => buckets.take(key, now))
    assert.deepStrictEqual(take("a", 0, 4), [true, true, true, false])
    assert.deepStrictEqual(take("a", 500, 2), [true, false])
    // No tokens are added when the clock goes back.
    assert.deepStrictEqual(take("a", 100, 1), [false])
    assert.deepStrictEqual(take("b", 500, 1), [true])
    assert.deepStrictEqual(take("c", 500, 1), [true])
    assert.deepStrictEqual(take("a", 500, 3), [true, true, true])
  })
})
