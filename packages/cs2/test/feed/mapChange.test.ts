/** A server that changes the map in the middle of one. Two maps must never be merged. */
import { assert, describe, it } from "@effect/vitest"
import { writtenLog } from "@matchpoint/testing/writtenLog"
import { contextFrom } from "../../src/feed/adapters/Adapter.ts"
import { gameState } from "../../src/feed/adapters/gameState/GameStateAdapter.ts"
import { createdEvent } from "../../src/feed/adapters/Recording.ts"
import { serverLog } from "../../src/feed/adapters/serverLog/ServerLogAdapter.ts"
import { sheetsOf } from "../../src/feed/adapters/teams.ts"
import { matchId } from "../../src/rules/ids.ts"
import { foldAll } from "../../src/rules/live/fold.ts"
import { competitiveRules, type TeamIndex } from "../../src/rules/live/rules.ts"

const START = Date.UTC(2026, 0, 1, 10)
const names = ["North", "South"] as const
const created = (bestOf: number) =>
  createdEvent(matchId(1), { bestOf, teams: sheetsOf(...names), rules: competitiveRules, roster: [] }, START - 1)

/** Returns rounds won by team 1, followed by rounds won by team 2. */
const won = (one: number, two: number): ReadonlyArray<TeamIndex> => [...Array<0>(one).fill(0), ...Array<1>(two).fill(1)]

/** Eight rounds of Inferno, then, after a pause, a whole Mirage. The server does not report the end of Inferno. */
const logOf = (pauseMs: number) => {
  const first = writtenLog({ map: "de_inferno", names, rounds: won(6, 2), startsAt: START }).slice(0, -1)
  const at = (first.at(-1)?.at ?? 0) + pauseMs
  return [...first, ...writtenLog({ map: "de_mirage", names, rounds: [...won(0, 7), ...won(2, 6)], startsAt: at })]
}

const played = (bestOf: number, pauseMs: number, byLine = false) => {
  let context = contextFrom(serverLog, [created(bestOf)]) ?? assert.fail("no match")
  const problems: Array<string> = []
  const events = logOf(pauseMs).flatMap(({ at, lines }) =>
    (byLine ? lines.map((line) => [line]) : [lines]).flatMap((some) => {
      const step = serverLog.step(context, some, at)
      context = step.context
      problems.push(...step.problems.map(({ code }) => code))
      return step.events
    }),
  )
  const state = foldAll(undefined, [created(bestOf), ...events]) ?? assert.fail("nothing folded")
  return {
    problems,
    status: state.status,
    winner: state.winner,
    maps: state.maps.map(({ name, rounds, score, status, winner }) => [name, ...score, status, winner, rounds.length]),
  }
}

const mirage = ["de_mirage", 2, 13, "completed", 1, 15]

describe("a map change before the map can be over", () => {
  it.each([[false], [true]])("in a best of one abandons the first map: the second one is the result (line by line: %s)", (byLine) => {
    assert.deepStrictEqual(played(1, 30_000, byLine), { problems: [], status: "completed", winner: 1, maps: [mirage] })
  })

  it("in a best of three is not a won map: the second one is played instead", () => {
    assert.deepStrictEqual(played(3, 30_000), { problems: [], status: "live", winner: null, maps: [mirage] })
  })

  it("before the end of the first round changes the name of the map", () => {
    const [freeze] = writtenLog({ map: "de_inferno", names, rounds: won(1, 0), startsAt: START })
    const rest = writtenLog({ map: "de_mirage", names, rounds: won(13, 0), startsAt: START + 20_000 })
    let context = contextFrom(serverLog, [created(1)]) ?? assert.fail("no match")
    for (const post of [...(freeze === undefined ? [] : [freeze]), ...rest]) context = serverLog.step(context, post.lines, post.at).context
    assert.deepStrictEqual(
      context.state.maps.map(({ name, score }) => [name, ...score]),
      [["de_mirage", 13, 0]],
    )
  })

  it("is rejected from Game State Integration alone, because a post may come from another server", () => {
    const post = (name: string, round: number, phase: string) => ({
      provider: { timestamp: Math.floor(START / 1_000) + round, steamid: "1" },
      map: {
        mode: "competitive",
        name,
        phase: "live",
        round,
        team_ct: { name: "North", score: round },
        team_t: { name: "South", score: 0 },
      },
      round: { phase },
    })
    let context = contextFrom(gameState, [created(1)]) ?? assert.fail("no match")
    const posts = [
      post("de_inferno", 0, "live"),
      post("de_inferno", 1, "freezetime"),
      post("de_inferno", 1, "live"),
      post("de_mirage", 0, "live"),
    ]
    for (const [index, one] of posts.entries()) {
      const stamped = { ...one, provider: { ...one.provider, timestamp: Math.floor(START / 1_000) + index * 20 } }
      const step = gameState.step(context, stamped, START + index * 20_000)
      assert.deepStrictEqual(
        step.problems.map(({ code }) => code),
        index === 3 ? ["wrong_map"] : [],
      )
      context = step.context
    }
    assert.deepStrictEqual(
      context.state.maps.map(({ name, score }) => [name, ...score]),
      [["de_inferno", 1, 0]],
    )
  })
})

describe("a map change after a silence in which the map may have ended", () => {
  it("in a best of one is rejected, and the match stays unfinished", () => {
    const { maps, problems, status } = played(1, 600_000)
    assert.deepStrictEqual([maps, status], [[["de_inferno", 6, 2, "live", null, 8]], "live"])
    assert.deepStrictEqual(problems, ["wrong_map"])
  })

  it("in a best of three is the next map", () => {
    assert.deepStrictEqual(played(3, 600_000).maps, [["de_inferno", 6, 2, "completed", null, 8], mirage])
  })
})
