/** A main feed that loses facts without a backup feed: the match continues where the feed continues. */
import { assert, describe, it } from "@effect/vitest"
import { decide } from "../../../src/rules/live/decide.ts"
import { currentMap, type MatchState } from "../../../src/rules/live/state.ts"
import { b1, blue, ctOf, r1, red, Script } from "./script.ts"

/** Plays a map in which one team wins every round. */
const played = (script: Script, map: number, team: typeof red, rounds = 13) => {
  script.map(map)
  for (let round = 1; round <= rounds; round++) script.wonBy(team, round, map)
  return script
}

const codeOf = (script: Script): string | undefined => {
  const event = script.events.pop()
  return event === undefined ? "the script has no event" : decide(script.fold(), event)?.code
}

const summary = ({ maps, seriesScore, status, winner }: MatchState) => ({
  maps: maps.map((map) => [map.score, map.status, map.winner]),
  seriesScore,
  status,
  winner,
})

describe("unreported rounds", () => {
  it("are skipped by the first fact of a later round, and the next round end corrects the score", () => {
    const script = new Script().begin().wonBy(red, 1).live(2).kill(2, r1, b1).wait(40_000).live(4).kill(4, b1, r1)
    script.add("RoundEnded", { mapNumber: 1, round: 4, winner: "T", winType: "elimination", score: { ct: 1, t: 3 } })
    const state = script.fold()
    const map = currentMap(state)
    assert.deepStrictEqual([map?.score, map?.roundsPlayed, map?.halves], [[1, 3], 4, [[1, 3]]])
    assert.deepStrictEqual(
      map?.rounds.map(({ round }) => round),
      [1, 4],
    )
    assert.strictEqual(state.players.find(({ id }) => id === r1)?.tally.kills, 1)
    assert.strictEqual(state.players.find(({ id }) => id === r1)?.tally.deaths, 1)
  })

  it.each([
    ["a kill", () => new Script().begin().live(1).wait(60_000).kill(4, r1, b1)],
    ["a round end", () => new Script().begin().live(1).wait(60_000).end(3, "T")],
    ["the next round after a round without a reported end", () => new Script().begin().live(1).wait(20_000).live(2)],
    ["the first fact of a map that has been played for a while", () => new Script().begin().wait(90_000).kill(5, r1, b1)],
  ])("can end with %s", (_, script) => {
    assert.isUndefined(codeOf(script()))
  })

  it("are rejected if the silence was too short for them", () => {
    assert.strictEqual(codeOf(new Script().begin().live(1).wait(40_000).kill(4, r1, b1)), "early_round")
    assert.strictEqual(codeOf(new Script().begin().live(1).wait(60_000).kill(100, r1, b1)), "early_round")
  })

  it("do not change the sides given by the rules", () => {
    const script = new Script().begin()
    for (let round = 1; round <= 11; round++) script.wonBy(red, round)
    script.live(12).wait(60_000).live(14, ctOf(14))
    script.add("RoundEnded", { mapNumber: 1, round: 14, winner: "CT", winType: "elimination", score: { ct: 2, t: 12 } })
    const map = currentMap(script.fold())
    assert.deepStrictEqual([map?.score, map?.startingCtTeam], [[12, 2], 0])
  })
})

describe("a map without a reported end", () => {
  it("is completed without a winner when the next map starts", () => {
    const script = played(new Script().create({ bestOf: 3 }), 1, red, 8)
      .wait(300_000)
      .map(2)
      .live(1, red, 2)
    const state = script.fold()
    assert.deepStrictEqual(summary(state), {
      maps: [
        [[8, 0], "completed", null],
        [[0, 0], "live", null],
      ],
      seriesScore: [0, 0],
      status: "live",
      winner: null,
    })
    assert.isNotEmpty(state.maps[0]?.lines ?? [])
    assert.isNull(state.maps[0]?.endReason)
  })

  it("gets the winner that keeps the series open", () => {
    // Map 1 is won by red, the end of map 2 is unknown, and map 3 starts: blue won map 2.
    const second = played(played(new Script().create({ bestOf: 3 }), 1, red), 2, red, 5)
      .map(3)
      .fold()
    assert.deepStrictEqual([second.seriesScore, second.maps[1]?.winner, second.status], [[1, 1], 1, "live"])
    // The end of map 1 is unknown, map 2 is won by red, and map 3 starts: blue won map 1.
    const first = played(played(played(new Script().create({ bestOf: 3 }), 1, red, 5), 2, red), 3, blue)
    const state = first.fold()
    assert.deepStrictEqual([state.seriesScore, state.maps[0]?.winner, state.winner], [[1, 2], 1, 1])
  })

  it("does not count as a draw", () => {
    const script = played(played(played(new Script().create({ bestOf: 3 }), 1, red, 5), 2, red, 5), 3, red)
    assert.deepInclude(script.fold(), { seriesScore: [1, 0], status: "completed", winner: 0 })
    const two = played(played(new Script().create({ bestOf: 2 }), 1, red, 5), 2, red)
    assert.deepInclude(two.fold(), { seriesScore: [1, 0], status: "completed", winner: 0 })
    const even = played(new Script().create({ bestOf: 4 }), 1, red, 5)
    for (const [index, team] of [red, blue].entries()) played(even, index + 2, team)
    played(even, 4, blue, 5).add("MapEnded", { mapNumber: 4, winnerTeamId: null, reason: "score" })
    assert.deepInclude(even.fold(), { seriesScore: [1, 1], status: "completed", winner: null })
  })

  it("stays live if nothing of it was played or no other map can follow", () => {
    assert.strictEqual(codeOf(new Script().begin({ bestOf: 3 }).map(2)), "map_in_play")
    assert.strictEqual(codeOf(new Script().begin().live(1).map(2)), "map_in_play")
    assert.strictEqual(codeOf(new Script().begin({ bestOf: 5 }).live(1).map(3)), "map_in_play")
  })
})
