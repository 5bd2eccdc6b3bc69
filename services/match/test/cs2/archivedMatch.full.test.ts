/** Conversion of whole simulated matches for the archive. */
import { assert, describe, it } from "@effect/vitest"
import { readRecord } from "@matchpoint/contracts/stream/record"
import type { DueMatch } from "@matchpoint/cs2/archive/upkeep/ArchiveBacklog"
import type { LiveEvent } from "@matchpoint/cs2/contract/LiveEvent"
import { archivedMatch } from "@matchpoint/cs2/live/archivedMatch"
import { resultOf } from "@matchpoint/cs2/live/matchResult"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { DateTime } from "effect"
import { foldToRecords, simulatedEvents } from "../simulated.ts"

const NUMBER = 4_711

const played = (seed: number, bestOf: 1 | 3, share = 1) => {
  const id = matchId(NUMBER)
  const facts = simulatedEvents(seed, id, bestOf)
  const { records, state } = foldToRecords(id, facts.slice(0, Math.ceil(facts.length * share)))
  if (state === undefined) return assert.fail("nothing was folded")
  const events = records.flatMap((record) => (readRecord(record)?.internals["event"] as LiveEvent | undefined) ?? [])
  const row: DueMatch = {
    matchId: id,
    matchNumber: NUMBER,
    status: "completed",
    bestOf,
    team1: { id: state.teams[0].id, name: state.teams[0].name },
    team2: { id: state.teams[1].id, name: state.teams[1].name },
    config: {},
    createdAt: DateTime.makeUnsafe("2026-03-01T17:00:00Z"),
    startedAt: DateTime.makeUnsafe(state.startedAt ?? 0),
    endedAt: DateTime.makeUnsafe(state.endedAt ?? state.observedAt),
    result: resultOf(state),
    mapsWon: state.seriesScore,
  }
  return { events, row, state }
}

describe("archivedMatch", () => {
  for (const seed of [1, 2, 3]) {
    it(`converts a whole match of three maps (seed ${seed})`, () => {
      const { events, row, state } = played(seed, 3)
      const match = archivedMatch(row, state, events)
      assert.deepInclude(match, {
        source: "live",
        matchNumber: NUMBER,
        status: "completed",
        bestOf: 3,
        confidence: "high",
        isForfeit: false,
      })
      assert.deepStrictEqual([match.startsAt, match.endsAt ?? null], [state.startedAt, state.endedAt])
      assert.deepStrictEqual(match.score, state.seriesScore)
      assert.strictEqual(match.winner, match.score?.[0] === 2 ? 0 : 1)
      assert.strictEqual(match.games.length, state.maps.length)
      assert.deepStrictEqual(
        match.lineups.map((lineup) => lineup.length),
        [5, 5],
      )
      for (const game of match.games) {
        const [one = 0, two = 0] = game.score ?? []
        assert.strictEqual(game.rounds.length, one + two)
        assert.deepStrictEqual(game.rounds.at(-1)?.score, game.score)
        assert.strictEqual(game.winner, one > two ? 0 : 1)
        const sum = (team: "team1" | "team2") => game.halves?.reduce((all, half) => all + half[team], 0)
        assert.deepStrictEqual([sum("team1"), sum("team2")], [one, two])
        // The sides of the halves must agree with the sides of their rounds.
        for (const half of game.halves ?? []) {
          const before = game.halves?.slice(0, half.number - 1).reduce((all, { team1, team2 }) => all + team1 + team2, 0) ?? 0
          const first = game.rounds[before]
          assert.strictEqual(first?.ct, half.team1Side === "CT" ? 0 : 1, `half ${half.number}`)
        }
        for (const round of game.rounds) {
          const winner = round.winnerSide === "CT" ? round.ct : 1 - round.ct
          const previous = game.rounds[round.round - 2]?.score ?? [0, 0]
          assert.strictEqual(round.score[winner], (previous[winner] ?? 0) + 1)
        }
        assert.strictEqual(game.lines.length, 10)
        for (const line of game.lines) {
          const kills = line.weapons?.reduce((all, weapon) => all + weapon.kills, 0)
          assert.strictEqual(kills, line.kills, line.player.nickname)
          const [ones, twos, threes, fours, fives] = line.multiKills ?? [0, 0, 0, 0, 0]
          assert.strictEqual(ones + 2 * twos + 3 * threes + 4 * fours + 5 * fives, line.kills)
          assert.isTrue((line.kast ?? -1) >= 0 && (line.kast ?? 2) <= 1)
          assert.strictEqual(line.rounds, one + two)
          assert.strictEqual(Math.round((line.adr ?? 0) * line.rounds), line.damage)
        }
        const deaths = game.lines.reduce((all, line) => all + line.deaths, 0)
        assert.strictEqual(game.events.filter(({ type }) => type === "Kill").length, deaths)
        assert.strictEqual(game.events.filter(({ type }) => type === "RoundEnd").length, one + two)
        const exploded = game.rounds.filter(({ winType }) => winType === "Target_Bombed")
        for (const { bombSite } of exploded) assert.include(["A", "B"], bombSite)
      }
    })
  }

  it("has only the register's map score while the match is live", () => {
    const { events, row, state } = played(1, 3, 0.8)
    assert.isAbove(state.seriesScore[0] + state.seriesScore[1], 0)
    for (const status of ["scheduled", "live"] as const) {
      const match = archivedMatch({ ...row, status, mapsWon: [0, 0], endedAt: null, result: null }, state, events)
      assert.strictEqual(match.status, status === "live" ? "live" : "upcoming")
      assert.deepStrictEqual([match.score, match.winner, match.endsAt], [status === "live" ? [0, 0] : undefined, undefined, undefined])
      assert.deepStrictEqual([match.games, match.lineups], [[], [[], []]])
    }
  })

  it("has the scheduled start time of an upcoming match, or only its day", () => {
    const { row } = played(5, 1, 0.01)
    const announced = { ...row, status: "scheduled" as const, startedAt: null, endedAt: null, result: null }
    assert.deepInclude(archivedMatch(announced, undefined, undefined), {
      startsAt: Date.parse("2026-03-01T00:00:00Z"),
      startsPrecision: "day",
    })
    assert.deepInclude(archivedMatch({ ...announced, config: { startsAt: "2026-03-02T18:30:00Z" } }, undefined, undefined), {
      startsAt: Date.parse("2026-03-02T18:30:00Z"),
      startsPrecision: "minute",
    })
  })

  it("has no score, winner or maps while the teams are uncertain, live or over", () => {
    const { events, row, state } = played(1, 3)
    const unresolved = { ...state, unresolvedNames: [{ name: "x", team: 0 as const }] }
    const over = archivedMatch({ ...row, result: resultOf(unresolved) }, unresolved, events)
    assert.deepStrictEqual(
      [over.status, over.score, over.winner, over.games, over.confidence],
      ["completed", undefined, undefined, [], "low"],
    )
    assert.isUndefined(archivedMatch({ ...row, result: resultOf(unresolved) }, undefined, undefined).score)
    assert.isUndefined(archivedMatch({ ...row, status: "live", result: null }, unresolved, events).score)
  })

  it("keeps the finished maps of a match that was called off", () => {
    const { events, row, state } = played(1, 3, 0.6)
    const ended = { ...state, status: "cancelled" as const, endReason: "cancelled" as const, endedAt: state.observedAt }
    const match = archivedMatch({ ...row, status: "cancelled" }, ended, events)
    assert.strictEqual(match.status, "cancelled")
    assert.strictEqual(match.games.length, state.maps.filter(({ status }) => status === "completed").length)
    assert.isAbove(state.maps.length, match.games.length)
    assert.isUndefined(match.winner)
  })

  it("has a winner and no score for a match forfeited before its first map", () => {
    const { row, state } = played(6, 1, 0.01)
    const ended = {
      ...state,
      status: "completed" as const,
      endReason: "forfeit" as const,
      winner: 1 as const,
      maps: [],
      endedAt: state.observedAt,
    }
    const match = archivedMatch(row, ended, undefined)
    assert.deepInclude(match, { winner: 1, isForfeit: true, games: [] })
    assert.isUndefined(match.score)
  })

  it("has no timeline and weapons without events, and only the result without a state", () => {
    const { row, state } = played(7, 1)
    const [game] = archivedMatch(row, state, undefined).games
    assert.deepStrictEqual([game?.events, game?.lines[0]?.weapons, game?.rounds[0]?.bombSite], [[], undefined, undefined])
    const bare = archivedMatch(row, undefined, undefined)
    assert.deepStrictEqual([bare.score, bare.games, bare.confidence], [state.seriesScore, [], "medium"])
    assert.strictEqual(bare.winner, state.winner === "draw" ? undefined : (state.winner ?? undefined))
    assert.strictEqual(archivedMatch({ ...row, result: null }, undefined, undefined).confidence, "low")
  })
})
