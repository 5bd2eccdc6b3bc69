import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { dayOf, Period, periodEnd, periodOf, periodOfDay, periodStart } from "../../src/metering/periods.ts"

describe("periods", () => {
  it("are calendar months in UTC, including leap years and the turn of the year", () => {
    const ends = ["2026-11", "2026-12", "2028-02", "2027-02"].map((month) => new Date(periodEnd(Period.make(month))).toISOString())
    assert.deepStrictEqual(ends, [
      "2026-12-01T00:00:00.000Z",
      "2027-01-01T00:00:00.000Z",
      "2028-03-01T00:00:00.000Z",
      "2027-03-01T00:00:00.000Z",
    ])
  })

  it.prop(
    "contain every time of theirs, from the start (inclusive) to the end (exclusive)",
    { at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Date.UTC(2200, 0) })) },
    ({ at }) => {
      const period = periodOf(at)
      assert.isAtLeast(at, periodStart(period))
      assert.isBelow(at, periodEnd(period))
      assert.strictEqual(periodOfDay(dayOf(at)), period)
      assert.strictEqual(periodOf(periodEnd(period) - 1), period)
      assert.notStrictEqual(periodOf(periodEnd(period)), period)
    },
  )
})
