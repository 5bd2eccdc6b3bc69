/** Tests that a series has a score only if its maps are those of a whole series. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { seriesScore } from "../../../src/rules/archive/seriesScore.ts"

const teams = ["a", "b"] as const

/** Maps from the letters of their winners. A dot is a map that the source does not have. */
const mapsOf = (winners: string) =>
  [...winners].flatMap((winnerSlug, index) => (winnerSlug === "." ? [] : [{ mapNumber: index + 1, winnerSlug }]))

const told = (winners: string, bestOf: number | null) => {
  const { bestOf: format, scoreGap, team1Score, team2Score, winnerSlug } = seriesScore(mapsOf(winners), bestOf, teams)
  return scoreGap === null ? `${team1Score}-${team2Score} ${winnerSlug} of ${format}` : `${scoreGap} ${winnerSlug} of ${format}`
}

describe("score of a series", () => {
  it("is the maps won if no map is missing", () => {
    assert.strictEqual(told("aaa", 5), "3-0 a of 5")
    assert.strictEqual(told("babab", 5), "2-3 b of 5")
    assert.strictEqual(told("bbbab", null), "1-4 b of 7")
    assert.strictEqual(told("abaa", null), "3-1 a of 5")
  })

  it("is unknown with a gap in the map numbers, also if a team has the majority", () => {
    assert.strictEqual(told(".baba", 5), "maps_missing null of 5")
    assert.strictEqual(told("a.baa", 5), "maps_missing a of 5")
    assert.strictEqual(told("a.baa", null), "maps_missing null of null")
  })

  it("is unknown if no team has the majority", () => {
    for (const winners of ["", "a", "ab", "aabb"]) assert.strictEqual(told(winners, 5), "maps_missing null of 5")
    assert.strictEqual(told("aaa", 7), "maps_missing null of 7")
    assert.strictEqual(told("aab", null), "maps_missing null of null")
  })

  it("is unknown if maps contradict it", () => {
    assert.strictEqual(told("aaab", 5), "maps_contradict a of 5")
    assert.strictEqual(told("aaaa", 5), "maps_contradict null of 5")
    assert.strictEqual(seriesScore([...mapsOf("aba"), { mapNumber: 3, winnerSlug: "a" }], 5, teams).scoreGap, "maps_contradict")
  })

  it.prop(
    "is never a score that the whole series did not have",
    [Schema.Array(Schema.Literals(["a", "b"])).check(Schema.isMinLength(7)), Schema.Array(Schema.Boolean).check(Schema.isMinLength(7))],
    ([winners, known]) => {
      const won = { a: 0, b: 0 }
      const played: Array<{ readonly mapNumber: number; readonly winnerSlug: string }> = []
      for (const winnerSlug of winners) {
        if (won.a === 3 || won.b === 3) break
        won[winnerSlug] += 1
        played.push({ mapNumber: played.length + 1, winnerSlug })
      }
      const score = seriesScore(
        played.filter((_, index) => known[index]),
        5,
        teams,
      )
      if (score.scoreGap === null) assert.deepInclude(score, { team1Score: won.a, team2Score: won.b })
      if (score.winnerSlug !== null) assert.strictEqual(score.winnerSlug, won.a === 3 ? "a" : "b")
    },
  )
})
