/** Scores of the feed that differ from the fold: what is corrected, and what is rejected. */
import { assert, describe, it } from "@effect/vitest"
import type { FeedEvent } from "../../../src/rules/live/feedEvents.ts"
import { fold } from "../../../src/rules/live/fold.ts"
import { violationOf } from "../../../src/rules/live/invariants.ts"
import { currentMap } from "../../../src/rules/live/state.ts"
import { b1, blue, ctOf, r1, red, Script } from "./script.ts"

/** Regulation ends 12:12, with 6 rounds for each team in each half. */
const tied = () => {
  const script = new Script().begin()
  for (let round = 1; round <= 24; round++) script.wonBy(round % 2 === 0 ? red : blue, round)
  return script
}

const lastStep = (script: Script) => {
  const event = script.events.pop() as FeedEvent
  return fold(script.fold(), event)
}

describe("a round end whose score takes a round from a team", () => {
  it("keeps every half of an overtime at or above 0 and moves the rounds to the other team", () => {
    const script = tied()
    // The feed lost the start of the overtime, so its facts have the wrong sides until the middle of it.
    const wrongSides = (round: number) => (ctOf(round) === red ? blue : red)
    for (const [round, ct, t] of [
      [25, 13, 12],
      [26, 14, 12],
    ] as const) {
      script
        .live(round, wrongSides(round))
        .add("RoundEnded", { mapNumber: 1, round, winner: "CT", winType: "elimination", score: { ct, t } })
    }
    // The actual result: the team that plays CT by the rules has won two rounds. From here on, the sides are right.
    script.live(27, ctOf(27)).add("RoundEnded", { mapNumber: 1, round: 27, winner: "CT", winType: "elimination", score: { ct: 15, t: 12 } })
    const step = lastStep(script)
    assert.strictEqual(step._tag === "Accepted" ? step.repaired : step.rejection.message, "score")
    const map = step.state === undefined ? undefined : currentMap(step.state)
    const ct = ctOf(27) === red ? 0 : 1
    assert.deepStrictEqual(map?.score, ct === 0 ? [15, 12] : [12, 15])
    assert.deepStrictEqual(map?.halves, [[6, 6], [6, 6], ct === 0 ? [3, 0] : [0, 3]])
    assert.deepStrictEqual(
      map?.rounds.slice(-3).map(({ winnerTeam }) => winnerTeam),
      [ct, ct, ct],
    )
    assert.isUndefined(step.state === undefined ? "no state" : violationOf(step.state))
  })

  it("corrects the sides of the round if they contradict the rules", () => {
    const script = new Script().begin()
    for (let round = 1; round <= 12; round++) script.wonBy(round <= 8 ? red : blue, round)
    // After half-time, red plays T, but the fact says CT.
    script.live(13, red).add("RoundEnded", { mapNumber: 1, round: 13, winner: "CT", winType: "elimination", score: { ct: 5, t: 8 } })
    const step = lastStep(script)
    assert.strictEqual(step._tag === "Accepted" ? step.repaired : step.rejection.message, "sides")
    const map = step.state === undefined ? undefined : currentMap(step.state)
    assert.deepStrictEqual(
      [map?.score, map?.halves, map?.rounds.at(-1)?.winnerTeam],
      [
        [8, 5],
        [
          [8, 4],
          [0, 1],
        ],
        1,
      ],
    )
  })

  it("removes rounds that cannot match the score", () => {
    const script = new Script().begin().wonBy(red, 1).wonBy(red, 2).wonBy(red, 3)
    script.live(4).add("RoundEnded", { mapNumber: 1, round: 4, winner: "CT", winType: "elimination", score: { ct: 2, t: 2 } })
    const map = currentMap(script.fold())
    assert.deepStrictEqual([map?.score, map?.halves], [[2, 2], [[2, 2]]])
    assert.isUndefined(violationOf(script.fold()))
  })

  it("is rejected if the winner of the round has no round in the score", () => {
    const script = new Script().begin().live(1)
    script.add("RoundEnded", { mapNumber: 1, round: 1, winner: "T", winType: "elimination", score: { ct: 1, t: 0 } })
    const step = lastStep(script)
    assert.strictEqual(step._tag === "Rejected" ? step.rejection.code : "accepted", "score_mismatch")
  })
})

describe("impossible counts", () => {
  it.each([
    ["more deaths than rounds", { playerId: r1, deaths: 2 }],
    ["fewer kills than minus the deaths", { playerId: r1, kills: -1 }],
    ["more kills than the possible deaths of opponents", { playerId: b1, kills: 400 }],
  ])("%s: reject the fact, and the match continues", (_, report) => {
    const script = new Script()
      .begin()
      .live(1)
      .add("PlayersReported", { mapNumber: 1, round: 1, players: [report] })
    const step = lastStep(script)
    assert.strictEqual(step._tag === "Rejected" ? step.rejection.code : "accepted", "invariant")
    script.end(1, "CT")
    assert.deepStrictEqual(currentMap(script.fold())?.score, [1, 0])
  })

  it("do not stop a match whose state already violates an invariant", () => {
    const state = new Script().begin().wonBy(red, 1).fold()
    const map = currentMap(state) ?? assert.fail("no map")
    const broken = { ...state, maps: [{ ...map, halves: [[2, -1] as const] }] }
    assert.isDefined(violationOf(broken))
    const next = new Script().begin().wonBy(red, 1).live(2).events.at(-2) ?? assert.fail("no event")
    assert.strictEqual(fold(broken, next)._tag, "Accepted")
  })
})
