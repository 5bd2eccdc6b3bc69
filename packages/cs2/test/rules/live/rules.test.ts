import { assert, describe, it } from "@effect/vitest"
import { competitiveRules, halfOfRound, mapOutcome, onStartingSides, seriesOutcome } from "../../../src/rules/live/rules.ts"

describe("halves", () => {
  it("regulation has two halves of twelve rounds, each overtime two of three", () => {
    const halves = [1, 12, 13, 24, 25, 27, 28, 30, 31, 36].map((round) => halfOfRound(round, competitiveRules))
    assert.deepStrictEqual(halves, [1, 1, 2, 2, 3, 3, 4, 4, 5, 6])
  })

  it("teams swap sides at half-time and in the middle of each overtime, but not between overtimes", () => {
    const sides = [12, 13, 24, 25, 27, 28, 30, 31, 33, 34, 37].map((round) => onStartingSides(round, competitiveRules))
    assert.deepStrictEqual(sides, [true, false, false, false, false, true, true, true, true, false, false])
  })
})

describe("mapOutcome", () => {
  const cases: ReadonlyArray<readonly [number, number, ReturnType<typeof mapOutcome>]> = [
    [0, 0, undefined],
    [12, 11, undefined],
    [13, 0, 0],
    [11, 13, 1],
    [12, 12, undefined],
    [15, 12, undefined],
    [16, 12, 0],
    [14, 16, 1],
    [15, 15, undefined],
    [16, 15, undefined],
    [18, 15, undefined],
    [19, 15, 0],
    [18, 18, undefined],
    [18, 22, 1],
  ]
  for (const [a, b, outcome] of cases)
    it(`${a}:${b} is ${outcome}`, () => assert.strictEqual(mapOutcome([a, b], competitiveRules), outcome))

  it("is a draw at a tie if there is no overtime", () => {
    const rules = { ...competitiveRules, overtimeRounds: 0 }
    assert.strictEqual(mapOutcome([12, 12], rules), "draw")
    assert.strictEqual(mapOutcome([12, 11], rules), undefined)
    assert.strictEqual(mapOutcome([13, 11], rules), 0)
  })

  it("supports shorter maps: nine wins of sixteen rounds", () => {
    const rules = { ...competitiveRules, maxRounds: 16 }
    assert.strictEqual(mapOutcome([8, 5], rules), undefined)
    assert.strictEqual(mapOutcome([9, 5], rules), 0)
  })
})

describe("seriesOutcome", () => {
  it("requires more than half of the maps, and an even number of maps can be a draw", () => {
    assert.strictEqual(seriesOutcome([1, 1], 2, 3), undefined)
    assert.strictEqual(seriesOutcome([2, 1], 3, 3), 0)
    assert.strictEqual(seriesOutcome([1, 1], 2, 2), "draw")
    assert.strictEqual(seriesOutcome([0, 1], 1, 1), 1)
  })
})
