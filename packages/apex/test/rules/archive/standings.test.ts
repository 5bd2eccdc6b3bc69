/** Tests the points of a game, match point series and the order of teams. */
import { assert, describe, it } from "@effect/vitest"
import { matchPointWinner, pointsOfGame, pointsOfPlacement, type TeamGames } from "../../../src/rules/archive/points.ts"
import { movingStandings, standingsOf } from "../../../src/rules/archive/standings.ts"

/** A team with a list of `[placement, kills]`. */
const team = (teamName: string, ...games: ReadonlyArray<readonly [placement: number, kills: number]>): TeamGames => ({
  teamName,
  games: games.map(([placement, kills], index) => ({
    gameNumber: index + 1,
    placement,
    kills,
    points: pointsOfGame(placement, kills),
  })),
})

const order = (teams: ReadonlyArray<TeamGames>, matchPoint: number | null = null) =>
  standingsOf(teams, { matchPoint }).map(({ rank, teamName }) => `${rank} ${teamName}`)

describe("points", () => {
  it("follow the placement table, and one per kill", () => {
    const table = Array.from({ length: 21 }, (_, index) => pointsOfPlacement(index + 1))
    assert.deepStrictEqual(table, [12, 9, 7, 5, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0])
    assert.strictEqual(pointsOfGame(1, 8), 20)
    assert.strictEqual(pointsOfGame(20, 3), 3)
  })
})

describe("match point", () => {
  it("is won by a team that was at the threshold before the game it wins", () => {
    const reached = team("A", [1, 20], [1, 20], [2, 0])
    assert.strictEqual(matchPointWinner([reached], 50), undefined)
    assert.strictEqual(matchPointWinner([team("A", [1, 20], [1, 20], [1, 0])], 50), "A")
    assert.strictEqual(matchPointWinner([team("A", [1, 38], [1, 0])], 50), "A")
    assert.strictEqual(matchPointWinner([team("A", [1, 37], [1, 0])], 50), undefined)
  })

  it("ranks the winner first, even if another team has more points", () => {
    const richer = team("B", [2, 30], [2, 30], [2, 30])
    const winner = team("A", [1, 38], [3, 0], [1, 0])
    assert.deepStrictEqual(order([richer, winner], 50), ["1 A", "2 B"])
    assert.deepStrictEqual(order([richer, winner]), ["1 B", "2 A"])
  })
})

describe("standings", () => {
  it("break ties by the best game, then by the next one, then by placements", () => {
    assert.deepStrictEqual(order([team("low", [8, 3], [8, 3]), team("high", [8, 6], [8, 0])]), ["1 high", "2 low"])
    assert.deepStrictEqual(order([team("b", [8, 4], [8, 1], [8, 1]), team("a", [8, 4], [8, 2], [8, 0])]), ["1 a", "2 b"])
    // Equal points in every game: 1 kill on the 8th place, and no kill on the 6th.
    assert.deepStrictEqual(order([team("a", [8, 1]), team("b", [6, 0])]), ["1 b", "2 a"])
  })

  it("share a rank if nothing separates the teams", () => {
    assert.deepStrictEqual(order([team("b", [8, 1]), team("a", [8, 1]), team("c", [9, 0])]), ["1 a", "1 b", "3 c"])
  })

  it("are known after each game", () => {
    const moving = movingStandings([team("a", [1, 0], [20, 0]), team("b", [2, 0], [1, 1])], null)
    const ranks = moving.map(({ gameNumber, standings }) => [
      gameNumber,
      ...standings.map(({ points, teamName }) => `${teamName} ${points}`),
    ])
    assert.deepStrictEqual(ranks, [
      [1, "a 12", "b 9"],
      [2, "b 22", "a 12"],
    ])
  })

  it("have unknown kills if a game has unknown kills", () => {
    const unknown = { teamName: "a", games: [{ gameNumber: 1, placement: null, kills: null, points: 5 }] }
    const [standing] = standingsOf([unknown], { matchPoint: null })
    assert.deepInclude(standing, { points: 5, kills: null, hms: 5, wins: 0 })
  })
})
