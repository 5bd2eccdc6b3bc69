/** Game State Integration posts that start in the middle of a series or of a map, played through the adapter. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { gameStateRecording } from "../../../src/feed/adapters/gameState/gameStateRecording.ts"
import { sheetsOf } from "../../../src/feed/adapters/teams.ts"
import { matchId } from "../../../src/rules/ids.ts"
import { competitiveRules } from "../../../src/rules/live/rules.ts"
import type { MatchState } from "../../../src/rules/live/state.ts"

const start = Date.UTC(2026, 1, 1, 18)

interface Moment {
  readonly second: number
  readonly map?: string
  /** Score of North and South. North is CT. */
  readonly score: readonly [number, number]
  readonly won?: readonly [number, number]
  readonly phase?: "freezetime" | "live" | "over"
  readonly wins?: object
}

const post = ({ map = "de_nuke", phase = "live", score, second, wins, won = [0, 0] }: Moment) => ({
  at: start + second * 1000,
  input: {
    provider: { timestamp: start / 1000 + second },
    map: {
      name: map,
      phase: "live",
      round: score[0] + score[1],
      team_ct: { name: "North", score: score[0], matches_won_this_series: won[0] },
      team_t: { name: "South", score: score[1], matches_won_this_series: won[1] },
      round_wins: wins ?? {},
    },
    round: { phase, ...(phase === "over" ? { win_team: "CT" } : {}) },
  },
})

/** Returns the match after the posts. Asserts that no problem was reported. */
const play = (bestOf: number, moments: ReadonlyArray<Moment>): MatchState => {
  const created = { bestOf, teams: sheetsOf("North", "South"), rules: competitiveRules, roster: [] }
  const steps = [...gameStateRecording({ created, inputs: moments.map(post) }).play(matchId(1))]
  assert.deepStrictEqual(
    steps.flatMap(({ problems }) => problems),
    [],
  )
  return steps.at(-1)?.state ?? assert.fail("no post")
}

const mapsOf = ({ maps }: MatchState) => maps.map(({ name, score, status, winner }) => [name, score, status, winner])

describe("gameState that starts in the middle", () => {
  it.effect("knows the maps of the series that were played before", () =>
    Effect.sync(() => {
      const state = play(3, [
        { second: 0, score: [3, 2], won: [0, 1] },
        { second: 60, score: [4, 2], won: [0, 1], phase: "over" },
      ])
      assert.deepStrictEqual(state.seriesScore, [0, 1])
      assert.deepStrictEqual(mapsOf(state), [
        ["unknown", [0, 0], "completed", 1],
        ["de_nuke", [4, 2], "live", null],
      ])
      assert.deepStrictEqual(play(5, [{ second: 0, score: [0, 0], won: [1, 2] }]).seriesScore, [1, 2])
    }),
  )

  it.effect("decides the series with the map in play", () =>
    Effect.sync(() => {
      const state = play(3, [
        { second: 0, score: [12, 3], won: [1, 0] },
        { second: 60, score: [13, 3], won: [1, 0], phase: "over" },
      ])
      assert.deepInclude(state, { status: "completed", winner: 0, seriesScore: [2, 0] })
    }),
  )

  it.effect("ends the map in play if the posts return on a later map", () =>
    Effect.sync(() => {
      const state = play(3, [
        { second: 0, map: "de_inferno", score: [10, 8] },
        { second: 120, score: [2, 1], won: [0, 1] },
      ])
      assert.deepStrictEqual(mapsOf(state), [
        ["de_inferno", [10, 8], "completed", 1],
        ["de_nuke", [2, 1], "live", null],
      ])
    }),
  )

  it.effect("ignores a series that cannot be that of the match", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(play(1, [{ second: 0, score: [3, 2], won: [1, 0] }]).seriesScore, [0, 0])
      assert.deepStrictEqual(play(3, [{ second: 0, score: [3, 2], won: [2, 0] }]).seriesScore, [0, 0])
    }),
  )

  it.effect("does not end a map of 30 rounds at 13", () =>
    Effect.sync(() => {
      // North won 8 of 15 rounds as T, and 5 of 6 as CT.
      const winOf = (round: number) => (round <= 8 || round === 21 ? "t_win_bomb" : "ct_win_elimination")
      const wins = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [index + 1, winOf(index + 1)]))
      const state = play(1, [
        { second: 0, score: [13, 8], wins },
        { second: 60, score: [14, 8], phase: "over" },
      ])
      assert.deepInclude(state, { status: "live" })
      assert.strictEqual(state.rules.maxRounds, 30)
      assert.deepStrictEqual(mapsOf(state), [["de_nuke", [14, 8], "live", null]])
      // Overtime of MR12, which begins its own `round_wins`.
      const overtime = play(1, [{ second: 0, score: [14, 13], wins: { 1: "ct_win_time", 2: "t_win_bomb", 3: "ct_win_time" } }])
      assert.deepInclude(overtime, { status: "live", rules: competitiveRules })
    }),
  )

  it.effect("reports a kind of odd value once, and forgets none of the others", () =>
    Effect.sync(() => {
      const created = { bestOf: 1, teams: sheetsOf("North", "South"), rules: competitiveRules, roster: [] }
      const odd = [0, 1, 2].map((second) => {
        const { at, input } = post({ second, score: [0, 0] })
        return {
          at,
          input: { ...input, allplayers: { 76561197960266030: { name: "ana", team: "CT", state: { money: 0.5 + second, armor: 7 } } } },
        }
      })
      const steps = [...gameStateRecording({ created, inputs: odd }).play(matchId(1))]
      assert.deepStrictEqual(
        steps.map(({ problems }) => problems.map(({ code }) => code)),
        [["malformed"], [], []],
      )
      assert.deepInclude(steps.at(-1)?.state.players[0], { armor: 7, money: null })
    }),
  )
})
