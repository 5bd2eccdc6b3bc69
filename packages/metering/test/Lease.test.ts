import { assert, describe, it } from "@effect/vitest"
import { AccountId } from "@matchpoint/domain/accounts"
import { Day, Period } from "@matchpoint/domain/metering/periods"
import { Lease } from "../src/Lease.ts"

const of = (granted: number) => {
  const lease = new Lease("lease", AccountId.make("00000000-0000-4000-8000-00000000000a"), Period.make("2026-11"))
  lease.settled(lease.report("gateway", granted, 0), granted)
  return lease
}

const first = Day.make("2026-11-01")
const second = Day.make("2026-11-02")

describe("Lease", () => {
  it("calls runsLow when a take leaves too few, and reports the requests left of the month", () => {
    const low: Array<number> = []
    const lease = new Lease("lease", AccountId.make("00000000-0000-4000-8000-00000000000a"), Period.make("2026-11"), (one) => {
      low.push(one.available)
      one.setLowThreshold(2)
    })
    lease.settled(lease.report("gateway", 6, 0), 6)
    assert.strictEqual(lease.remaining(100), 100)
    lease.setUngranted(90)
    lease.setLowThreshold(4)
    assert.strictEqual(lease.remaining(100), 96)
    assert.strictEqual(lease.remaining(50), 50)
    assert.deepStrictEqual(
      Array.from({ length: 7 }, () => lease.take()),
      [true, true, true, true, true, true, false],
    )
    assert.deepStrictEqual(low, [3, 1, 0])
    assert.strictEqual(lease.remaining(100), 90)
  })

  it("reserves at most the granted requests, and does not give back reserved ones", () => {
    const lease = of(3)
    assert.deepStrictEqual([lease.reserve(), lease.reserve(), lease.reserve(), lease.reserve()], [true, true, true, false])
    lease.release()
    const report = lease.report("gateway", 0, 99)
    assert.deepInclude(report, { size: 3, giveBack: 1, revision: 2 })
    assert.strictEqual(lease.size, 2)
    assert.isFalse(lease.reserve())
  })

  it("repeats an unacknowledged report with the next revision and its own size", () => {
    const lease = of(5)
    assert.isFalse(lease.dirty)
    assert.deepInclude(lease.report("gateway", 0, 5), { revision: 2, size: 5, giveBack: 5 })
    assert.isTrue(lease.dirty)
    const again = lease.report("gateway", 0, 0)
    assert.deepInclude(again, { revision: 3, size: 0, giveBack: 0 })
    lease.settled(again, 0)
    assert.isFalse(lease.dirty)
  })

  it("reports one line per changed day, with the total of the day", () => {
    const lease = of(5)
    for (const day of [first, second, first]) {
      assert.isTrue(lease.reserve())
      lease.serve("request", day)
    }
    const report = lease.report("gateway", 0, 0)
    assert.deepStrictEqual(report.lines, [
      { day: first, requests: 2, streamTicks: 0 },
      { day: second, requests: 1, streamTicks: 0 },
    ])
    lease.settled(report, 0)
    assert.isTrue(lease.reserve())
    lease.serve("tick", second)
    assert.deepStrictEqual(lease.report("gateway", 0, 0).lines, [{ day: second, requests: 1, streamTicks: 1 }])
  })

  it("counts requests served after the month on the last day of the month", () => {
    const lease = of(1)
    assert.isTrue(lease.reserve())
    lease.serve("request", Day.make("2026-12-01"))
    assert.deepStrictEqual(lease.report("gateway", 0, 0).lines, [{ day: Day.make("2026-11-30"), requests: 1, streamTicks: 0 }])
  })

  it("counts requests served before the month on the first day of the month", () => {
    const lease = of(1)
    assert.isTrue(lease.reserve())
    lease.serve("request", Day.make("2026-10-31"))
    assert.deepStrictEqual(lease.report("gateway", 0, 0).lines, [{ day: Day.make("2026-11-01"), requests: 1, streamTicks: 0 }])
  })

  it("owes requests served in grace until the ledger has accepted them", () => {
    const lease = of(0)
    lease.reserveInGrace()
    lease.serve("request", first)
    const report = lease.report("gateway", 0, 0)
    assert.deepInclude(report, { size: 0, owed: 1 })
    lease.reserveInGrace()
    lease.settled(report, 0)
    assert.deepStrictEqual([lease.size, lease.owed, lease.available], [1, 1, 0])
  })
})
