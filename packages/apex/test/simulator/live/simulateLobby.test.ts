import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { matchIdOf } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { pointsOfGame } from "../../../src/rules/archive/points.ts"
import { ApexSeries } from "../../../src/rules/archive/series.ts"
import { APEX } from "../../../src/rules/game.ts"
import { archivedSeries } from "../../../src/rules/live/archivedSeries.ts"
import { fold } from "../../../src/rules/live/fold.ts"
import { resultOf } from "../../../src/rules/live/result.ts"
import type { LobbyState } from "../../../src/rules/live/state.ts"
import { GENERATOR_VERSION, simulateLobby } from "../../../src/simulator/live/simulateLobby.ts"
import { toFeedEvent } from "../../../src/simulator/live/timedFact.ts"
import { scheduledLobby } from "../../../src/simulator/live/world.ts"

const factsOf = (n: number) => [...simulateLobby({ ...scheduledLobby(1, n, 2026), matchId: matchIdOf(APEX, n) })]

const statesOf = (n: number): ReadonlyArray<LobbyState> => {
  let state: LobbyState | undefined
  return factsOf(n).map((fact) => {
    const step = fold(state, toFeedEvent(fact, { observedAt: fact.offsetMs, receivedAt: fact.offsetMs }))
    if (step._tag === "Rejected") throw new Error(step.rejection.message)
    state = step.state
    return step.state
  })
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)

describe("a simulated lobby", () => {
  const states = statesOf(1)
  const last = states.at(-1)

  it("plays six games to the end", () => {
    assert.deepInclude(last, { status: "completed", game: null })
    assert.lengthOf(last?.games ?? [], 6)
    for (const { endedAt, results, startedAt } of last?.games ?? []) {
      assert.deepStrictEqual(
        results.map(({ placement }) => placement).toSorted((one, other) => one - other),
        Array.from({ length: 20 }, (_, index) => index + 1),
      )
      assert.isAbove(sum(results.map(({ kills }) => kills)), 45)
      assert.isAbove(endedAt - startedAt, 15 * 60_000)
      assert.isBelow(endedAt - startedAt, 30 * 60_000)
    }
  })

  it("has standings that are the sums of the games, in every state", () => {
    for (const { game, games, standings } of states) {
      const left = game?.teams.filter(({ placement }) => placement === null).length ?? 0
      for (const [index, { points }] of standings.entries()) {
        const now = game?.teams[index]
        const past = games.map(({ results }) => pointsOfGame(results[index]?.placement ?? 0, results[index]?.kills ?? 0))
        assert.strictEqual(points, sum(past) + (now === undefined ? 0 : pointsOfGame(now.placement ?? left, now.kills)))
      }
    }
  })

  it("counts every kill for a player, except after a correction", () => {
    for (const { isCorrected, players, results } of last?.games ?? []) {
      if (isCorrected) continue
      for (const [index, { kills }] of results.entries()) {
        assert.strictEqual(kills, sum(players.slice(3 * index, 3 * index + 3).map((line) => line?.kills ?? 0)))
      }
    }
  })

  it("becomes a series of the archive", () => {
    if (last === undefined) return
    const series = archivedSeries(last.matchId, resultOf(last))
    if (typeof series === "string") return assert.fail(series)
    assert.isTrue(Schema.is(ApexSeries)(series))
    assert.deepInclude(series, { seriesId: "apex-match-1", source: "live", status: "completed" })
    assert.lengthOf(series.games[0]?.teams ?? [], 20)
  })

  it("ends a final when a team at match point wins a game", () => {
    const final = statesOf(5).at(-1)
    assert.strictEqual(final?.lobby.format.matchPoint, 50)
    assert.strictEqual(final?.games.at(-1)?.results[(final.winner ?? 0) - 1]?.placement, 1)
  })

  it("has the same facts for the same seed and version", () => {
    const hash = createHash("sha256")
      .update(JSON.stringify(factsOf(2)))
      .digest("hex")
      .slice(0, 16)
    assert.deepStrictEqual([GENERATOR_VERSION, hash], [2, "4c277823f467bffa"])
  })
})
