import { assert, describe, it } from "@effect/vitest"
import { LONGEST_GAP_MS, Pace } from "../../src/replay/Pace.ts"

describe("Pace", () => {
  it("keeps the match's gaps, divided by the speed", () => {
    const pace = new Pace(4, 1_000)
    assert.deepStrictEqual([pace.waitFor(50_000, 1_000), pace.waitFor(50_400, 1_000), pace.waitFor(51_400, 1_100)], [0, 100, 250])
  })

  it("shortens long gaps and ignores a clock that was set back", () => {
    const pace = new Pace(1, 0)
    pace.waitFor(0, 0)
    assert.strictEqual(pace.waitFor(120_000, 0), LONGEST_GAP_MS)
    assert.strictEqual(pace.waitFor(119_000, LONGEST_GAP_MS), 0)
  })

  it("catches up with at most one second of delay", () => {
    const pace = new Pace(1, 0)
    pace.waitFor(0, 0)
    assert.strictEqual(pace.waitFor(100, 300), 0)
    assert.strictEqual(pace.waitFor(500, 300), 200)
    assert.strictEqual(pace.waitFor(600, 60_000), 0)
    assert.strictEqual(pace.waitFor(2_600, 60_000), 1_000)
  })

  it("stalls by match time, except at speed 0", () => {
    const pace = new Pace(2, 0)
    pace.waitFor(0, 0)
    pace.stall(3_000)
    assert.strictEqual(pace.waitFor(1_000, 0), 2_000)
    const free = new Pace(0, 0)
    free.stall(3_000)
    assert.strictEqual(free.waitFor(1_000, 0), 0)
  })
})
