import { assert, describe, it } from "@effect/vitest"
import type { GameRules } from "@matchpoint/domain/game/GameRules"
import { factId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { parseScore } from "../../../src/rules/archive/score.ts"
import type { FeedEvent } from "../../../src/rules/live/feedEvents.ts"
import { fold } from "../../../src/rules/live/fold.ts"
import { violationOf } from "../../../src/rules/live/invariants.ts"
import { scoreText } from "../../../src/rules/live/scores.ts"
import { isBreakPoint, type MatchState, nextPosition, serverOf, servingPlayer } from "../../../src/rules/live/state.ts"
import { Script } from "./script.ts"

const normal = { kind: "normal" } as const

/** Fails to compile if the fold does not fit the interface of game modules. */
const rules: Pick<GameRules<MatchState, FeedEvent>, "fold"> = { fold }

describe("the fold", () => {
  it("does not change a state when it rejects an event, and gives plain JSON", () => {
    const match = Script.started().wins(0)
    const step = match.send("PointPlayed", { set: 9, game: 1, point: 1, winner: 0, ...normal })
    assert.strictEqual(step.state, match.live)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(match.live)), match.live)
    assert.strictEqual(rules.fold, fold)
  })
})

describe("games", () => {
  it("need two points' lead after deuce", () => {
    const match = Script.started().wins(0, 3).wins(1, 3)
    assert.deepStrictEqual(match.live.game?.points, [3, 3])
    match.wins(0).wins(1).wins(1)
    assert.isTrue(isBreakPoint(match.live))
    match.wins(1)
    assert.deepStrictEqual(match.live.sets[0]?.games, [0, 1])
    assert.strictEqual(serverOf(match.live), 1)
    const [server] = match.live.tallies
    assert.deepStrictEqual([server.breakPointsFaced, server.breakPointsSaved, server.pointsWon], [1, 0, 4])
  })

  it("are decided by the point at deuce in no-ad, which is a break point", () => {
    const match = Script.started({ noAd: true }).wins(0, 3).wins(1, 3)
    assert.isTrue(isBreakPoint(match.live))
    assert.deepStrictEqual(match.wins(1).live.sets[0]?.games, [0, 1])
  })

  it("count aces of the server and double faults", () => {
    const match = Script.started()
    match.add("PointPlayed", { set: 1, game: 1, point: 1, winner: 0, kind: "ace" })
    match.add("PointPlayed", { set: 1, game: 1, point: 2, winner: 1, kind: "double_fault" })
    assert.deepStrictEqual([match.live.tallies[0].aces, match.live.tallies[0].doubleFaults], [1, 1])
    assert.strictEqual(match.rejection("PointPlayed", { set: 1, game: 1, point: 3, winner: 1, kind: "ace" }), "wrong_winner")
    assert.strictEqual(match.rejection("PointPlayed", { set: 1, game: 1, point: 3, winner: 0, kind: "double_fault" }), "wrong_winner")
  })
})

describe("tie-breaks", () => {
  it("change the server after the first point, then every two points", () => {
    const match = Script.started().holds(12)
    const servers = []
    for (let n = 0; n < 8; n++) {
      servers.push(serverOf(match.live))
      match.wins(n % 2 === 0 ? 0 : 1)
    }
    assert.deepStrictEqual(servers, [0, 1, 1, 0, 0, 1, 1, 0])
    match.wins(0, 3)
    assert.strictEqual(scoreText(match.live, 0), "7-6(4)")
    // The side that served first in the tie-break receives first in the next set.
    assert.strictEqual(serverOf(match.live), 1)
  })

  it("go on until a lead of two", () => {
    assert.strictEqual(scoreText(Script.started().holds(12).tieBreak(1, 7, 9).live, 1), "7-6(9)")
  })

  it("replace the last set as match tie-breaks to 10", () => {
    const match = Script.started({ finalSet: "match_tie_break" }).set(0).set(1)
    assert.strictEqual(match.live.game?.tieBreakTo, 10)
    assert.strictEqual(scoreText(match.tieBreak(1, 10, 8).live, 1), "0-6 6-0 [10-8]")
    assert.deepStrictEqual([match.live.status, match.live.winner], ["completed", 1])
  })

  it("go to 10 in the last set if the format requires it", () => {
    const match = Script.started({ bestOf: 1, finalSet: "tie_break_10" }).holds(12).wins(0, 9)
    assert.strictEqual(match.live.status, "live")
    assert.strictEqual(scoreText(match.wins(0).live, 0), "7-6(0)")
  })

  it("are not played in an advantage set", () => {
    const match = Script.started({ bestOf: 5, finalSet: "advantage" }).set(0).set(0).set(1).set(1)
    match.holds(136)
    assert.deepStrictEqual(match.live.sets[4]?.games, [68, 68])
    assert.strictEqual(scoreText(match.games(0, 0).live, 0), "6-0 6-0 0-6 0-6 70-68")
    assert.strictEqual(match.live.status, "completed")
  })
})

describe("doubles", () => {
  it("alternate the players of a pair, also into the tie-break", () => {
    const match = Script.started({ doubles: true }).add("ServeOrderChosen", { set: 1, first: [1, 0] })
    const served = []
    for (let n = 0; n < 12; n++) {
      served.push(`${serverOf(match.live)}${servingPlayer(match.live)}`)
      match.holds(1)
    }
    assert.deepStrictEqual(served.slice(0, 6), ["01", "10", "00", "11", "01", "10"])
    const inTieBreak = []
    for (let n = 0; n < 8; n++) {
      inTieBreak.push(`${serverOf(match.live)}${servingPlayer(match.live)}`)
      match.wins(n % 2 === 0 ? 0 : 1)
    }
    assert.deepStrictEqual(inTieBreak, ["01", "10", "10", "00", "00", "11", "11", "01"])
  })

  it("choose the order before the first point of a set", () => {
    const match = Script.started({ doubles: true }).wins(0)
    assert.strictEqual(match.rejection("ServeOrderChosen", { set: 1, first: [1, 1] }), "wrong_set")
    assert.strictEqual(Script.started().rejection("ServeOrderChosen", { set: 1, first: [1, 1] }), "wrong_players")
  })
})

describe("a match", () => {
  it("ends when the sets are won, and rejects later points", () => {
    const match = Script.started().set(1).set(1)
    assert.deepStrictEqual([match.live.status, match.live.winner, match.live.endReason], ["completed", 1, "completed"])
    assert.strictEqual(match.rejection("PointPlayed", { set: 3, game: 1, point: 1, winner: 0, ...normal }), "match_over")
    assert.strictEqual(match.rejection("Retired", { side: 0 }), "match_over")
  })

  it("ends by retirement during a set", () => {
    const match = Script.started().set(0).games(0, 1).add("Retired", { side: 0 })
    assert.deepStrictEqual([match.live.winner, match.live.endReason], [1, "retired"])
    assert.strictEqual(scoreText(match.live, 1), "0-6 1-1 RET")
  })

  it("ends by walkover only before the start", () => {
    const match = Script.created().add("WalkedOver", { side: 1 })
    assert.deepStrictEqual([match.live.winner, scoreText(match.live, 0)], [0, "W/O"])
    assert.strictEqual(Script.started().rejection("WalkedOver", { side: 1 }), "match_started")
  })

  it("accepts no points while it is suspended", () => {
    const match = Script.started().wins(0).add("Suspended", { reason: "rain" })
    const second = { set: 1, game: 1, point: 2, winner: 0, ...normal } as const
    assert.strictEqual(match.rejection("PointPlayed", second), "suspended")
    assert.strictEqual(match.rejection("Suspended", {}), "suspended")
    assert.strictEqual(match.add("Resumed", {}).rejection("PointPlayed", second), undefined)
    assert.strictEqual(match.rejection("Resumed", {}), "not_suspended")
  })

  it("starts before points are accepted", () => {
    const first = { set: 1, game: 1, point: 1, winner: 0, ...normal } as const
    assert.strictEqual(Script.created().rejection("PointPlayed", first), "match_not_started")
    assert.strictEqual(new Script().rejection("PointPlayed", first), "match_not_created")
  })

  it("rejects points that are repeated, skipped, or sent under a used id", () => {
    const match = Script.started().wins(0)
    assert.strictEqual(match.rejection("PointPlayed", { set: 1, game: 1, point: 1, winner: 0, ...normal }), "late_point")
    assert.strictEqual(match.rejection("PointPlayed", { set: 1, game: 1, point: 3, winner: 0, ...normal }), "early_point")
    const id = factId(match.live.seen.at(-1) ?? assert.fail("the point was not kept"))
    assert.strictEqual(match.rejection("PointPlayed", { set: 1, game: 1, point: 2, winner: 0, ...normal }, { id }), "duplicate")
  })

  it("continues from a corrected score", () => {
    const match = Script.started().games(0, 0)
    match.add("ScoreCorrected", {
      sets: [
        { games: [6, 7], tieBreak: [5, 7] },
        { games: [6, 6], tieBreak: null },
      ],
      points: [6, 4],
      firstServer: 1,
    })
    assert.deepStrictEqual(nextPosition(match.live), { set: 2, game: 13, point: 11 })
    // Side 1 served point 1. Side 0 serves points 10 and 11.
    assert.strictEqual(serverOf(match.live), 0)
    assert.strictEqual(scoreText(match.wins(0).live, 0), "6-7(5) 7-6(4)")
    assert.deepStrictEqual([match.live.setsWon, match.live.sets.length], [[1, 1], 3])
  })

  it("rejects a correction to a score that the format does not have", () => {
    const match = Script.started()
    const correct = (
      games: readonly [number, number],
      tieBreak: readonly [number, number] | null,
      points: readonly [number, number] = [0, 0],
    ) => match.rejection("ScoreCorrected", { sets: [{ games, tieBreak }], points, firstServer: 0 })
    assert.strictEqual(correct([7, 3], null), "impossible_score")
    assert.strictEqual(correct([6, 4], null), "impossible_score")
    assert.strictEqual(correct([7, 6], [7, 6]), "impossible_score")
    assert.strictEqual(correct([8, 7], null), "impossible_score")
    assert.strictEqual(correct([1, 0], null, [4, 1]), "impossible_score")
    assert.strictEqual(correct([1, 0], null, [4, 3]), undefined)
  })
})

describe("any sequence of points", () => {
  it.prop(
    "gives a consistent score whose text can be read back",
    {
      bestOf: Schema.Literals([1, 3, 5]),
      finalSet: Schema.Literals(["tie_break", "tie_break_10", "advantage", "match_tie_break"]),
      noAd: Schema.Boolean,
      seed: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
      strength: Schema.Int.check(Schema.isBetween({ minimum: 20, maximum: 80 })),
      count: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 300 })),
    },
    ({ bestOf, count, finalSet, noAd, seed, strength }) => {
      const match = Script.started({ bestOf, finalSet, noAd })
      let random = seed
      let played = 0
      while (played < count && match.live.status === "live") {
        random = (random * 48_271) % 2_147_483_647
        match.wins(random % 100 < strength ? 0 : 1)
        played += 1
        assert.isUndefined(violationOf(match.live))
      }
      const { game, sets, seq, setsWon, status, tallies } = match.live
      assert.strictEqual(tallies[0].pointsWon + tallies[1].pointsWon, played)
      assert.strictEqual(seq, played + 2)
      assert.strictEqual(game === null, status === "completed")
      for (const view of [0, 1] as const) {
        const parsed = parseScore(scoreText(match.live, view), { bestOf: null, year: 2026 })
        assert.isNull(parsed.problem, "the score text can be read")
        for (const [index, set] of parsed.sets.entries()) {
          const own = sets[index] ?? assert.fail("the text has more sets")
          const pair = set.isMatchTiebreak ? own.tieBreak : own.games
          assert.deepStrictEqual([set.winner, set.loser], view === 0 || pair === null ? pair : [pair[1], pair[0]])
          if (set.tiebreak !== null) assert.strictEqual(set.tiebreak, Math.min(...(own.tieBreak ?? [])))
        }
        assert.isAtLeast(parsed.sets.length, setsWon[0] + setsWon[1])
      }
    },
  )
})
