import { assert, describe, it } from "@effect/vitest"
import { LedgerClock } from "../src/LedgerClock.ts"

const clockAt = (start: number) => {
  const here = { now: start }
  return { here, clock: new LedgerClock(() => here.now) }
}

describe("LedgerClock", () => {
  it("is never ahead of the ledger, and does not go back after a slow response", () => {
    // The ledger's clock is 50,000 ms ahead of the local clock.
    const { clock, here } = clockAt(1_000)
    assert.isFalse(clock.known)
    clock.set(50_920, 900)
    assert.strictEqual(clock.now(), 50_920)
    here.now = 1_200
    clock.set(51_190, 1_100)
    assert.strictEqual(clock.now(), 51_190)
    here.now = 3_200
    clock.set(51_210, 1_200)
    assert.strictEqual(clock.now(), 53_190)
  })

  it("follows corrections of the ledger's clock, forward and back across the end of a month", () => {
    const { clock, here } = clockAt(0)
    const midnight = Date.UTC(2026, 11, 1)
    clock.set(midnight - 1, 0)
    assert.deepStrictEqual([clock.period(), clock.day()], ["2026-11", "2026-11-30"])
    here.now = 1
    assert.deepStrictEqual([clock.period(), clock.day()], ["2026-12", "2026-12-01"])
    assert.strictEqual(clock.periodEnd() - clock.periodStart(), 31 * 86_400_000)
    clock.set(midnight - 5_000, 1)
    assert.deepStrictEqual([clock.period(), clock.day()], ["2026-11", "2026-11-30"])
    clock.set(midnight + 40 * 86_400_000, 1)
    assert.deepStrictEqual([clock.period(), clock.day()], ["2027-01", "2027-01-10"])
  })
})
