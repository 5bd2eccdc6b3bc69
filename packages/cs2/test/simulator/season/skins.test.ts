import { assert, describe, it } from "@effect/vitest"
import { simulateSkins } from "../../../src/simulator/season/skins.ts"

const now = Date.parse("2026-11-22T12:00:00Z")

describe("simulateSkins", () => {
  it("gives every item a year of prices that depend only on seed and day", () => {
    const skins = simulateSkins(1, now)
    assert.deepStrictEqual(simulateSkins(1, now), skins)
    assert.strictEqual(new Set(skins.map(({ marketName }) => marketName)).size, 120)
    for (const { prices } of skins) {
      assert.strictEqual(prices.at(-1)?.pricedOn, "2026-11-22")
      assert.strictEqual(new Set(prices.map(({ pricedOn }) => pricedOn)).size, 12)
      assert.isTrue(prices.every(({ minorUnits }) => Number.isInteger(minorUnits) && minorUnits >= 3))
    }
  })
})
