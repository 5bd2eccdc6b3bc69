import { assert, describe, it } from "@effect/vitest"
import { parseScore } from "../../../src/rules/archive/score.ts"

/** Writes parsed sets in one normal form, so that the tables below are short. */
const written = (raw: string): string => {
  const { ending, problem, sets } = parseScore(raw, { bestOf: null, year: 2020 })
  const text = sets.map(({ isMatchTiebreak, loser, tiebreak, winner }) =>
    isMatchTiebreak ? `[${winner}-${loser}]` : `${winner}-${loser}${tiebreak === null ? "" : `(${tiebreak})`}`,
  )
  return [...text, problem ?? ending].join(" ")
}

describe("parseScore", () => {
  it.each([
    ["6-4 6-3", "6-4 6-3 completed"],
    ["7-6(5) 3-6 7-6(11)", "7-6(5) 3-6 7-6(11) completed"],
    ["6-4 3-6 [10-8]", "6-4 3-6 [10-8] completed"],
    ["3-6 6-2 (10-6)", "3-6 6-2 [10-6] completed"],
    ["7-5 4-6 7-6(8-6)", "7-5 4-6 7-6(6) completed"],
    ["4-6 6-4 6-3 6-7(8) 70-68", "4-6 6-4 6-3 6-7(8) 70-68 completed"],
    [" 6-4  6- 2 ", "6-4 6-2 completed"],
    ["7-6 (4) 6 -3", "7-6(4) 6-3 completed"],
    ["6-3 3-1 RET", "6-3 3-1 retired"],
    ["7-5 1-0 ret", "7-5 1-0 retired"],
    ["RET", "retired"],
    ["W/O", "walkover"],
    [" Walkover", "walkover"],
    ["W.0", "walkover"],
    ["6-0 4-4 Def.", "6-0 4-4 defaulted"],
    ["4-6 7-6(4) 1-0 Default", "4-6 7-6(4) 1-0 defaulted"],
    ["6-4 3-1 ABD", "6-4 3-1 unfinished"],
    ["5-4 ABN", "5-4 unfinished"],
    ["6-6 Played and unfinished", "6-6 unfinished"],
    ["5-7 3-2 Played and abandoned", "5-7 3-2 unfinished"],
  ])("parses %s", (raw, expected) => {
    assert.strictEqual(written(raw), expected)
  })

  it.each([
    ["", "empty"],
    ["&nbsp;", "empty"],
    ["UNK", "placeholder"],
    [">", "placeholder"],
    ["6-? 6-3", "missing_games"],
    ["?-? ?-?", "missing_games"],
    ["6-4 6-", "missing_games"],
    ["7-Oct", "spreadsheet_date"],
    ["Sep-00", "spreadsheet_date"],
    ["6-4-6-1", "joined_sets"],
    ["3-6 6-6-2", "joined_sets"],
    ["62 6-1", "missing_dash"],
    ["3 sets", "placeholder"],
    ["6-4 won", "other"],
  ])("names the problem of %s", (raw, problem) => {
    assert.strictEqual(written(raw), problem)
  })

  it("returns the ending of a score whose sets cannot be parsed", () => {
    assert.deepStrictEqual(parseScore("6-? RET", { bestOf: 3, year: 2020 }), { sets: [], ending: "retired", problem: "missing_games" })
  })
})
