/** Tests what is computed beside the score: counters, the stakes of the next point, and momentum. */
import { assert, describe, it } from "@effect/vitest"
import { DECAY, momentumAfter, momentumOf, noMomentum, PRIOR } from "../../../src/rules/live/momentum.ts"
import { resultOf } from "../../../src/rules/live/result.ts"
import { importanceOf, stakeOf } from "../../../src/rules/live/stakes.ts"
import { nextPosition } from "../../../src/rules/live/state.ts"
import { Script } from "./script.ts"

const stakes = (match: Script) => [stakeOf(match.live, 0), stakeOf(match.live, 1)]

describe("counters", () => {
  it("count points, service games and break points of each side", () => {
    const match = Script.started()
    const point = (winner: 0 | 1, kind: "normal" | "ace" | "double_fault") =>
      match.add("PointPlayed", { ...(nextPosition(match.live) ?? assert.fail("over")), winner, kind })
    point(0, "ace")
    point(1, "double_fault")
    // 15-15, 15-40, saved, broken.
    match.wins(1, 2).wins(0).wins(1)
    assert.deepStrictEqual(match.live.tallies[0], {
      pointsWon: 2,
      aces: 1,
      doubleFaults: 1,
      servePoints: 6,
      servePointsWon: 2,
      serviceGames: 1,
      serviceGamesWon: 0,
      breakPointsFaced: 2,
      breakPointsSaved: 1,
    })
    assert.deepInclude(match.live.tallies[1], { pointsWon: 4, servePoints: 0, serviceGames: 0 })
    match.games(1)
    assert.deepInclude(match.live.tallies[1], { pointsWon: 8, servePoints: 4, servePointsWon: 4, serviceGames: 1, serviceGamesWon: 1 })
  })

  it("count a tie-break as serve points but as no service game", () => {
    const match = Script.started().holds(12)
    const before = match.live.tallies.map(({ serviceGames }) => serviceGames)
    assert.deepStrictEqual(before, [6, 6])
    match.tieBreak(0, 7, 3)
    assert.deepStrictEqual(
      match.live.tallies.map(({ serviceGames, servePoints }) => [serviceGames, servePoints]),
      [
        [6, 24 + 5],
        [6, 24 + 5],
      ],
    )
  })

  it("are marked as incomplete after a correction", () => {
    const match = Script.started().wins(0)
    assert.isTrue(match.live.countsEveryPoint)
    match.add("ScoreCorrected", { sets: [{ games: [2, 1], tieBreak: null }], points: [0, 0], firstServer: 1 })
    assert.isFalse(match.live.countsEveryPoint)
  })

  it("are part of the result", () => {
    const { sets, ...result } = resultOf(Script.started().set(0).set(0).live)
    assert.deepInclude(result, { winner: 0, endReason: "completed", score: "6-0 6-0", countsEveryPoint: true, wasInterrupted: false })
    assert.deepStrictEqual(
      sets.map(({ winner }) => winner),
      [0, 0],
    )
  })
})

describe("the next point", () => {
  it("can decide a game, a break, a set or the match", () => {
    const match = Script.started()
    assert.deepStrictEqual(stakes(match), [null, null])
    match.wins(0, 3)
    assert.deepStrictEqual(stakes(match), ["game", null])
    match.wins(1, 3)
    assert.deepStrictEqual(stakes(match), [null, null])
    match.wins(1)
    assert.deepStrictEqual(stakes(match), [null, "break"])
    match.wins(1)
    match.games(0, 0, 0, 0, 0).wins(1, 3)
    assert.deepStrictEqual(stakes(match)[1], "break")
    match.wins(0, 4)
    assert.deepStrictEqual(stakes(match)[0], "set")
    match.wins(0).games(0, 0, 0, 0, 0).wins(0, 3)
    assert.deepStrictEqual(stakes(match)[0], "match")
    assert.strictEqual(importanceOf(match.live), 4)
    match.wins(0)
    assert.deepStrictEqual(stakes(match), [null, null])
  })

  it("can decide a game for both sides without advantage, and a set in a tie-break", () => {
    const noAd = Script.started({ noAd: true }).wins(0, 3).wins(1, 3)
    assert.deepStrictEqual(stakes(noAd), ["game", "break"])
    const tieBreak = Script.started().holds(12).wins(0, 6)
    assert.deepStrictEqual(stakes(tieBreak), ["set", null])
    const deciding = Script.started({ finalSet: "match_tie_break" }).set(0).set(1).wins(1, 9)
    assert.deepStrictEqual(stakes(deciding), [null, "match"])
  })
})

describe("momentum", () => {
  it("is the weighted share of recent points", () => {
    assert.strictEqual(momentumOf(noMomentum), 0)
    let momentum = noMomentum
    for (const [winner, importance] of [
      [0, 1],
      [1, 2],
      [0, 4],
    ] as const) {
      momentum = momentumAfter(momentum, winner, importance)
    }
    const expected = (DECAY ** 2 - 2 * DECAY + 4) / (PRIOR * DECAY ** 3 + DECAY ** 2 + 2 * DECAY + 4)
    assert.strictEqual(momentumOf(momentum), Math.round(expected * 100) / 100)
  })

  it("favours the side with the newer and the more important points, within its bounds", () => {
    const won = Script.started().set(0).live
    const lost = Script.started().set(0).games(1, 1, 1).live
    assert.isAbove(momentumOf(won.momentum), 0.8)
    assert.isBelow(momentumOf(lost.momentum), momentumOf(won.momentum) - 0.5)
    for (const { momentum } of [won, lost]) assert.isAtMost(Math.abs(momentumOf(momentum)), 1)
    assert.isBelow(momentumOf(Script.started().games(1).live.momentum), 0)
  })
})
