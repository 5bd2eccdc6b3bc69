import { assert, describe, it } from "@effect/vitest"
import { matchId } from "../../src/rules/ids.ts"
import { simulatedWorld } from "../../src/simulator/world.ts"
import { play } from "./playedMatches.ts"

describe("simulatedWorld", () => {
  it("has the same teams and schedule for the same seed", () => {
    const [one, two, other] = [simulatedWorld(5), simulatedWorld(5), simulatedWorld(6)]
    for (const n of [1, 2, 17, 1_000, 5_000_000]) {
      assert.deepStrictEqual(one.match(n), two.match(n))
      assert.notDeepEqual(one.match(n), other.match(n))
    }
    assert.deepStrictEqual(one.team(12), two.team(12))
  })

  it("numbers teams and players without gaps or duplicates", () => {
    const world = simulatedWorld(1)
    const players = Array.from({ length: 40 }, (_, i) => world.team(i + 1)).flatMap((team) => team.players)
    assert.deepStrictEqual(
      players.map((player) => player.id),
      Array.from({ length: 200 }, (_, i) => `cs2-player-${i + 1}`),
    )
    assert.strictEqual(world.team(33).id, "cs2-team-33")
  })

  it.each([4, 16, 64])("lets no team play two matches at once with a circuit of %i", (circuit) => {
    const world = simulatedWorld(9, { circuit })
    const window = circuit / 4 + 1
    const teams = Array.from({ length: 400 }, (_, i) => world.match(i + 1).teams.map((team) => team.id))
    for (let from = 0; from + window <= teams.length; from++) {
      assert.strictEqual(new Set(teams.slice(from, from + window).flat()).size, 2 * window)
    }
    assert.strictEqual(new Set(teams.flat()).size, circuit)
  })

  it("schedules matches that can be played to the end", () => {
    const world = simulatedWorld(3)
    for (let n = 1; n <= 10; n++) {
      const { bestOf, eventName, seed, teams } = world.match(n)
      const { rejections, state } = play({ seed, matchId: matchId(n), bestOf, teams, eventName })
      assert.deepStrictEqual(rejections, [])
      assert.deepStrictEqual(
        state.teams.map((team) => team.name),
        teams.map((team) => team.name),
      )
      assert.strictEqual(state.bestOf, bestOf)
      assert.strictEqual(state.eventName, eventName)
    }
  })
})
