import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  decimalOf,
  impliedProbability,
  MAX_DECIMAL,
  MIN_DECIMAL,
  margin,
  moved,
  nextState,
  suspendedFrom,
} from "../../../src/rules/odds/market.ts"

const Probability = Schema.Finite.check(Schema.isBetween({ minimum: 0.0005, maximum: 0.9995 }))

describe("odds", () => {
  it("converts probabilities to decimal prices", () => {
    assert.strictEqual(decimalOf(0.5), 2)
    assert.strictEqual(decimalOf(0.245), 4.082)
    for (const none of [0, 1, -0.1, 1.2, Number.NaN, null, undefined]) assert.isNull(decimalOf(none))
  })

  it.prop("prices are within the bounds, and imply the probability they were computed from", [Probability], ([p]) => {
    const [one, two] = [decimalOf(p), decimalOf(1 - p)]
    if (one === null || two === null) return assert.fail("a probability without a price")
    assert.isTrue(one >= MIN_DECIMAL && one <= MAX_DECIMAL)
    assert.approximately(impliedProbability(one, two) ?? Number.NaN, p, 0.002)
    assert.approximately(margin(one, two) ?? Number.NaN, 0, 0.01)
  })

  it("a quote is a change if its prices or its state differ", () => {
    const quote = { at: 1, team1: 1.5, team2: 2.5, state: "open" as const }
    assert.isTrue(moved(undefined, quote))
    assert.isFalse(moved(quote, { ...quote, at: 2 }))
    assert.isTrue(moved(quote, { ...quote, team2: 2.6 }))
    assert.isTrue(moved(quote, { ...quote, state: "suspended" }))
    assert.strictEqual(nextState("suspended", "open", false), "open")
    assert.strictEqual(nextState("closed", "open", false), "closed")
  })

  it("a decided market never opens again, and can still be settled", () => {
    assert.strictEqual(nextState("open", "open", true), "suspended")
    assert.strictEqual(nextState("suspended", "open", true), "suspended")
    assert.strictEqual(nextState("suspended", "closed", true), "closed")
    const quote = (at: number, state: "open" | "suspended" | "closed" = "open") => ({ at, team1: 1.5, team2: 2.5, state })
    assert.deepStrictEqual(suspendedFrom([quote(1), quote(3), quote(4, "closed")], 2), [
      quote(1),
      quote(2, "suspended"),
      quote(3, "suspended"),
      quote(4, "closed"),
    ])
    assert.deepStrictEqual(suspendedFrom([quote(3)], 2), [quote(3, "suspended")])
    assert.deepStrictEqual(suspendedFrom([quote(1, "suspended")], 2), [quote(1, "suspended")])
  })
})
