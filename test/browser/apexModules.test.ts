/** Tests the pure modules of the Apex pages without a browser. */
import { assert, describe, it } from "@effect/vitest"
import { gameNumbers, heatOf, standingsAfter } from "@matchpoint/apex/pages/archive/standingsPanel"

const game = (gameNumber: number, points: number, totalPoints: number, rankAfter: number, kills: number | null) => ({
  gameNumber,
  placement: 1,
  kills,
  points,
  totalPoints,
  rankAfter,
})

const standings = [
  { teamName: "A", rank: 1, points: 30, kills: 7, hms: 20, wins: 1, games: [game(1, 10, 10, 2, 3), game(2, 20, 30, 1, 4)] },
  { teamName: "B", rank: 2, points: 12, kills: null, hms: 12, wins: 0, games: [game(1, 12, 12, 1, null)] },
]

describe("standings after a game", () => {
  it("have the ranks and sums of that game, and no kills if a game has none", () => {
    assert.deepStrictEqual(standingsAfter(standings, 1), [
      { rank: 1, teamName: "B", points: 12, kills: null, lastPoints: 12 },
      { rank: 2, teamName: "A", points: 10, kills: 3, lastPoints: 10 },
    ])
    assert.deepStrictEqual(
      standingsAfter(standings, 2).map(({ kills, lastPoints, points }) => [points, kills, lastPoints]),
      [
        [30, 7, 20],
        [12, null, null],
      ],
    )
    assert.deepStrictEqual(gameNumbers(standings), [1, 2])
  })
})

describe("heat of a placement", () => {
  it("falls from the first place to the last one", () => {
    assert.deepStrictEqual([1, 20, 25].map(heatOf), [1, 0, 0])
    assert.isAbove(heatOf(2), heatOf(3))
  })
})
