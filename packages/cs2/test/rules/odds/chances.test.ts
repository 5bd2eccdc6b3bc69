import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { mapChance, raceChance, seriesChance } from "../../../src/rules/odds/chances.ts"

const P = Schema.Finite.check(Schema.isBetween({ minimum: 0.05, maximum: 0.95 }))
const Need = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 13 }))

describe("win probabilities", () => {
  it("equal the round probability for one round, and the exact value for two wins against two", () => {
    assert.approximately(raceChance(1, 1, 0.3), 0.3, 1e-12)
    // Win both rounds, or one of the first two and the third.
    assert.approximately(raceChance(2, 2, 0.6), 0.6 * 0.6 + 2 * 0.6 * 0.4 * 0.6, 1e-12)
    assert.strictEqual(raceChance(0, 3, 0.5), 1)
    assert.strictEqual(raceChance(3, 0, 0.5), 0)
  })

  it.prop("of both sides add up to 1", [Need, Need, P], ([mine, theirs, p]) => {
    assert.approximately(raceChance(mine, theirs, p) + raceChance(theirs, mine, 1 - p), 1, 1e-9)
  })

  it("of the same lead rise with fewer rounds left, and are certain for a decided series", () => {
    const leads = [mapChance([3, 0], 24, 0.5), mapChance([8, 5], 24, 0.5), mapChance([12, 9], 24, 0.5)]
    assert.deepStrictEqual([...leads].sort(), leads)
    assert.isTrue(leads.every((chance) => chance > 0.5 && chance < 1))
    assert.strictEqual(mapChance([12, 12], 24, 0.5), 0.5)
    assert.strictEqual(seriesChance([2, 0], 3, undefined, 0.5), 1)
    assert.strictEqual(seriesChance([0, 2], 3, undefined, 0.5), 0)
    assert.approximately(seriesChance([0, 0], 3, 0.5, 0.5), 0.5, 1e-12)
    assert.approximately(seriesChance([1, 0], 3, 0.5, 0.5), 0.75, 1e-12)
  })
})
