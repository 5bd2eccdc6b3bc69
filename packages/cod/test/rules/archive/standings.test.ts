/** Tests the order of standings and the invariants of their sums. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type PlayedMatch, standingsOf } from "../../../src/rules/archive/standings.ts"

const match = (
  team1Slug: string,
  team1Score: number,
  team2Score: number,
  team2Slug: string,
  pointsPerWin: number | null = null,
): PlayedMatch => ({
  ...{ team1Slug, team2Slug, team1Score, team2Score, pointsPerWin },
  winnerSlug: team1Score === team2Score ? null : team1Score > team2Score ? team1Slug : team2Slug,
})

const order = (rows: ReturnType<typeof standingsOf>) => rows.map(({ rank, teamSlug }) => `${rank} ${teamSlug}`)

describe("standings", () => {
  it("lists teams without a match last, with the same rank", () => {
    const rows = standingsOf(["a", "b", "c", "d"], [match("c", 3, 1, "b")], [])
    assert.deepStrictEqual(order(rows), ["1 c", "2 a", "2 d", "4 b"])
    assert.deepStrictEqual(rows[0], { teamSlug: "c", rank: 1, cdlPoints: null, matchWins: 1, matchLosses: 0, mapWins: 3, mapLosses: 1 })
  })

  it("has no ranks before the first match", () => {
    const rows = standingsOf(["b", "a"], [], [])
    assert.deepStrictEqual(order(rows), ["null a", "null b"])
    assert.deepStrictEqual(order(standingsOf(["b", "a"], [match("x", 3, 1, "y")], [])), ["null a", "null b"])
    assert.deepStrictEqual(order(standingsOf(["a", "b"], [], [{ teamSlug: "b", cdlPoints: 25 }])), ["1 b", "2 a"])
  })

  it("counts neither maps nor an unknown winner of a match without a score", () => {
    const unknown = { ...match("a", 3, 1, "b"), team1Score: null, team2Score: null }
    const rows = standingsOf(["a", "b"], [unknown, { ...unknown, winnerSlug: null }], [])
    assert.deepInclude(rows[0], { teamSlug: "a", matchWins: 1, matchLosses: 0, mapWins: 0, mapLosses: 0 })
    assert.deepInclude(rows[1], { teamSlug: "b", matchWins: 0, matchLosses: 1, mapWins: 0, mapLosses: 0 })
  })

  it("puts league points before wins, and adds the points for places", () => {
    const rows = standingsOf(["a", "b"], [match("a", 3, 0, "b", 10)], [{ teamSlug: "b", cdlPoints: 25 }])
    assert.deepStrictEqual(order(rows), ["1 b", "2 a"])
    assert.deepStrictEqual(
      rows.map(({ cdlPoints }) => cdlPoints),
      [25, 10],
    )
  })

  it("separates teams with equal records by the matches between them", () => {
    const matches = [match("b", 3, 1, "a"), match("a", 3, 1, "c"), match("c", 3, 1, "b"), match("b", 3, 1, "d"), match("d", 3, 1, "a")]
    const rows = standingsOf(["a", "b", "c", "d"], [...matches, match("a", 3, 1, "x"), match("x", 3, 1, "a")], [])
    // b has lost one match of three. c and d have one win and one loss each, equal maps, and did not meet.
    assert.deepStrictEqual(order(rows), ["1 b", "2 a", "3 c", "3 d"])
    const tied = standingsOf(["a", "b"], [match("b", 3, 2, "a"), match("a", 3, 2, "x"), match("x", 3, 2, "b")], [])
    assert.deepStrictEqual(order(tied), ["1 b", "2 a"])
  })

  it.prop(
    "counts each match once for each of its teams",
    [Schema.Array(Schema.Tuple([Schema.Literals(["a", "b"]), Schema.Literals([0, 1, 2]), Schema.Literals(["c", "d"])]))],
    ([played]) => {
      const matches = played.map(([one, lost, other], index) => (index % 2 === 0 ? match(one, 3, lost, other) : match(one, lost, 3, other)))
      const rows = standingsOf(["a", "b", "c", "d"], matches, [])
      const sum = (of: "mapLosses" | "mapWins" | "matchLosses" | "matchWins") => rows.reduce((all, row) => all + row[of], 0)
      assert.strictEqual(sum("matchWins"), matches.length)
      assert.strictEqual(sum("matchLosses"), matches.length)
      assert.strictEqual(sum("mapWins"), sum("mapLosses"))
      assert.deepStrictEqual(
        rows.map(({ rank }) => rank),
        rows.map(({ rank }) => rank).toSorted((one, other) => (one ?? 0) - (other ?? 0)),
      )
    },
  )
})
