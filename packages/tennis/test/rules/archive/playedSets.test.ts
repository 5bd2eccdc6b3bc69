import { assert, describe, it } from "@effect/vitest"
import { parseScore } from "../../../src/rules/archive/score.ts"

const judged = (score: string, bestOf: number | null, year = 2023): string => {
  const { ending, problem } = parseScore(score, { bestOf, year })
  return problem ?? ending
}

describe("scores that are compared with the number of sets", () => {
  it.each([
    ["7-5", 3, "unknown"],
    ["3-6 7-5", 3, "unknown"],
    ["4-6 6-3 3-6", 3, "unknown"],
    ["6-1 6-3 0-0", 5, "unknown"],
    ["6-1 6-3", 5, "unknown"],
    ["6-4 6-5", 3, "unknown"],
    ["6-4 4-4", 3, "unknown"],
    ["0-0", 3, "unknown"],
    ["6-4 3-6 8-7", 3, "unknown"],
    ["6-4 6-3", 3, "completed"],
    ["6-4 6-3", null, "completed"],
    ["6-2", 1, "completed"],
    ["6-4 3-6 [10-7]", 3, "completed"],
    ["6-4 3-6 10-7", 3, "completed"],
    ["4-6 6-4 6-3 6-7(8) 70-68", 5, "completed"],
    ["4-1 3-4(8) 4-3(2) 0-4 4-3(3)", 3, "completed"],
    ["5-3 4-0 5-4(3)", 3, "completed"],
    ["6-3 6-1 4-6 6-2", 3, "completed"],
    ["7-6(5) 6-7(3) 13-12(4)", 3, "completed"],
  ])("%s in a best of %s is %s", (score, bestOf, expected) => {
    assert.strictEqual(judged(score, bestOf), expected)
  })

  it.each([
    ["6-4 6-5", 1969, "completed"],
    ["9-8 6-2", 1972, "completed"],
    ["8-5", 1968, "completed"],
    ["31-28 31-25", 1968, "completed"],
    ["31-25 25-31 5-3", 1968, "completed"],
    ["2-6 6-5 1-0(3)", 1969, "completed"],
  ])("%s was a whole match in %s", (score, year, expected) => {
    assert.strictEqual(judged(score, 3, year), expected)
  })

  it.each([
    "6-1 7-3",
    "2-6(3) 7-6(5) 7-6",
    "6-2 4-6 6-2(1) 6-4",
    "6-2(1)",
    "60-61",
    "6-4 9-6",
    "6-13 6-2",
    "4-4 6-3 6-1",
    "7-5(4) 6-4",
    "7-4 3-2 RET",
    "2-4 0-30 RET",
  ])("%s has a set that cannot be played", (score) => {
    assert.strictEqual(judged(score, 3), "impossible_set")
    assert.deepStrictEqual(parseScore(score, { bestOf: 3, year: 2023 }).sets, [])
  })

  it("keeps the ending that a score with an impossible set states", () => {
    assert.strictEqual(parseScore("7-4 3-2 RET", { bestOf: 3, year: 2023 }).ending, "retired")
  })

  it("knows a tie-break that was not played to its end", () => {
    assert.strictEqual(judged("4-6 6-6(2) DEF", 3), "defaulted")
    assert.strictEqual(judged("4-6 6-6(2)", 3), "unknown")
    assert.strictEqual(judged("6-6(2) 6-4", 3), "impossible_set")
  })

  it("reads a remark after a semicolon", () => {
    assert.strictEqual(judged("6-2 6-1;ret.", 3), "retired")
  })
})
