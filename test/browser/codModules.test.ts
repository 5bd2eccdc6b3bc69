/** Tests the pure modules of the Call of Duty pages without a browser. */
import { assert, describe, it } from "@effect/vitest"
import { boardOf, boards } from "@matchpoint/cod/pages/archive/boards"
import { heightOf, scaleOf, trendPath } from "@matchpoint/cod/pages/archive/trendCurve"

describe("trend of a player", () => {
  it("has larger values higher, within the box", () => {
    const values = [1, 3, 2]
    const scale = scaleOf(values, 2)
    assert.deepStrictEqual(scale, { low: 0.8, high: 3.2 })
    assert.strictEqual(heightOf(2, scale), 0.5)
    assert.strictEqual(trendPath(values, scale, 100, 240), "M0 220L50 20L100 120")
  })

  it("is a line across the box if there is one value, or if all are equal", () => {
    assert.strictEqual(trendPath([5], scaleOf([5], null), 100, 100), "M0 50H100")
    assert.strictEqual(trendPath([0, 0], scaleOf([0, 0], 0), 100, 100), "M0 50L100 50")
  })
})

describe("leaderboards", () => {
  it("have ids of their own, and a default", () => {
    assert.strictEqual(new Set(boards.map(({ id }) => id)).size, boards.length)
    for (const id of [null, "nothing"]) assert.strictEqual(boardOf(id).id, "overall-kd")
    assert.deepStrictEqual(boardOf("hardpoint-hillTime").board, { kind: "mode", mode: "hardpoint", stat: "hillTime" })
  })
})
