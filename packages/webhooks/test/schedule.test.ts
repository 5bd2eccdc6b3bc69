import { assert, describe, it } from "vitest"
import { RETRY_DELAYS_MS, verdictOf } from "../src/schedule.ts"

const failed = (status?: number, retryAfterSeconds?: number) => ({ status, retryAfterSeconds })

describe("verdictOf", () => {
  it("accepts any status 2xx and nothing else", () => {
    for (const status of [200, 201, 204, 299]) assert.deepStrictEqual(verdictOf(failed(status), 0, 0, 0), { _tag: "Delivered" })
    for (const status of [undefined, 100, 199, 300, 301, 307, 400, 404, 500, 503]) {
      assert.strictEqual(verdictOf(failed(status), 0, 0, 0)._tag, "Retry", String(status))
    }
  })

  it("waits 1 minute, 5 minutes, 30 minutes, 2 hours and 24 hours, then disables the subscription", () => {
    const delays = [0, 1, 2, 3, 4].map((failures) => {
      const verdict = verdictOf(failed(500), failures, 1_000, 0)
      assert(verdict._tag === "Retry")
      assert.strictEqual(verdict.failures, failures + 1)
      return (verdict.dueAt - 1_000) / 60_000
    })
    assert.deepStrictEqual(delays, [1, 5, 30, 120, 1_440])
    assert.deepStrictEqual(verdictOf(failed(500), 5, 1_000, 0), { _tag: "Disable", reason: "failures" })
  })

  it("adds at most a tenth of the delay as jitter", () => {
    assert.deepStrictEqual(verdictOf(failed(), 0, 0, 1), { _tag: "Retry", failures: 1, dueAt: (RETRY_DELAYS_MS[0] ?? 0) * 1.1 })
  })

  it("honours Retry-After if it is longer than the delay", () => {
    assert.deepStrictEqual(verdictOf(failed(429, 600), 0, 0, 0), { _tag: "Retry", failures: 1, dueAt: 600_000 })
    assert.deepStrictEqual(verdictOf(failed(429, 6), 0, 0, 0), { _tag: "Retry", failures: 1, dueAt: 60_000 })
  })

  it("disables the subscription at once if the receiver answers 410", () => {
    assert.deepStrictEqual(verdictOf(failed(410), 0, 0, 0), { _tag: "Disable", reason: "gone" })
  })
})
