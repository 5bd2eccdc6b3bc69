/** Matches that were registered without rules and turn out to have 30 regulation rounds: no feed ends their map at 13. */
import { assert, describe, it } from "@effect/vitest"
import { writtenLog } from "@matchpoint/testing/writtenLog"
import { Effect } from "effect"
import { gameStateRecording } from "../../../src/feed/adapters/gameState/gameStateRecording.ts"
import { sheetsOf } from "../../../src/feed/adapters/teams.ts"
import { matchId } from "../../../src/rules/ids.ts"
import { competitiveRules, type MatchRules, onStartingSides, type TeamIndex } from "../../../src/rules/live/rules.ts"
import type { MatchState } from "../../../src/rules/live/state.ts"
import { playPosts, scoreOf, stampOf } from "../logPosts.ts"

const START = Date.UTC(2026, 9, 25, 0, 30)
const rules: MatchRules = { ...competitiveRules, maxRounds: 30 }
const registration = { bestOf: 1, teams: [{ name: "North" }, { name: "South" }] }

/** North leads 12:0, then 12:3 at half-time, and wins 16:4. */
const winners: ReadonlyArray<TeamIndex> = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0]

const shown = (state: MatchState) => ({
  status: state.status,
  score: scoreOf(state),
  maxRounds: state.rules.maxRounds,
  winner: state.winner,
})
const won: ReturnType<typeof shown> = { status: "completed", score: [16, 4], maxRounds: 30, winner: 0 }

describe("serverLog of 30 rounds", () => {
  const written = (names: readonly [string, string], hasPlayers: boolean) =>
    writtenLog({ map: "de_nuke", names, rounds: winners, rules, startsAt: START, hasPlayers })
  /** Only the setting shows how many rounds there are. */
  const unnamed = written(["North", "South"], false).map(({ at, lines }) => ({
    at,
    lines: lines.filter((line) => !line.includes("Team playing")),
  }))
  const setting = (text: string) => ({ at: START - 60_000, lines: [`${stampOf(START - 60_000)} - ${text}`] })

  it.effect.each([
    ["players", written(["One", "Two"], true)],
    ["team names", written(["North", "South"], false)],
    ["the setting of the server", [setting('server_cvar: "mp_maxrounds" "0"'), setting('server_cvar: "mp_maxrounds" "30"'), ...unnamed]],
    ["the settings that the server lists", [setting('"mp_maxrounds" = "30"'), ...unnamed]],
  ] as const)("shows it by %s", ([, posts]) =>
    Effect.sync(() => {
      const { problems, state, steps } = playPosts(posts, registration)
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(shown(state), won)
      const at13 = steps.find(({ state }) => scoreOf(state)?.[0] === 13) ?? assert.fail("no 13th round was won")
      assert.deepInclude(shown(at13.state), { status: "live", score: [13, 3] })
      assert.deepStrictEqual(state.maps[0]?.halves, [
        [12, 3],
        [4, 1],
      ])
    }),
  )

  it.effect("ends at 13 if the teams swap sides after 12 rounds", () =>
    Effect.sync(() => {
      const { state } = playPosts(
        writtenLog({ map: "de_nuke", names: ["North", "South"], rounds: [...winners.slice(0, 15), 0], startsAt: START }),
        registration,
      )
      assert.deepStrictEqual(shown(state), { status: "completed", score: [13, 3], maxRounds: 24, winner: 0 })
    }),
  )
})

describe("gameState of 30 rounds", () => {
  it.effect("shows it by the sides after 12 rounds", () =>
    Effect.sync(() => {
      const score: [number, number] = [0, 0]
      const post = (second: number, ct: TeamIndex, phase: "freezetime" | "live" | "over", winTeam?: "CT" | "T") => ({
        at: START + second * 1000,
        input: {
          provider: { timestamp: START / 1000 + second },
          map: {
            name: "de_nuke",
            phase: "live",
            round: score[0] + score[1],
            team_ct: { name: ct === 0 ? "North" : "South", score: score[ct] },
            team_t: { name: ct === 0 ? "South" : "North", score: score[ct === 0 ? 1 : 0] },
          },
          round: { phase, ...(winTeam === undefined ? {} : { win_team: winTeam }) },
        },
      })
      const inputs = winners.flatMap((winner, index) => {
        const ct: TeamIndex = onStartingSides(index + 1, rules) ? 0 : 1
        const before = [post(index * 60, ct, "freezetime"), post(index * 60 + 20, ct, "live")]
        score[winner] += 1
        return [...before, post(index * 60 + 40, ct, "over", winner === ct ? "CT" : "T")]
      })
      const created = { bestOf: 1, teams: sheetsOf("North", "South"), rules: competitiveRules, roster: [] }
      const steps = [...gameStateRecording({ created, inputs }).play(matchId(1))]
      assert.deepStrictEqual(
        steps.flatMap(({ problems }) => problems),
        [],
      )
      assert.deepStrictEqual(shown(steps.at(-1)?.state ?? assert.fail("no post")), won)
    }),
  )
})
