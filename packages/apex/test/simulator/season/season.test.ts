/** Tests that the simulated season has every documented kind of row, so that a fresh server shows all of them. */
import { assert, describe, it } from "@effect/vitest"
import { transactionTypes } from "../../../src/rules/archive/series.ts"
import { simulateSeason } from "../../../src/simulator/season/season.ts"

const parts = [...simulateSeason({ seed: 1, now: Date.UTC(2026, 5, 1, 12) })]
const transactions = parts.flatMap((part) => part.transactions)
const series = parts.flatMap((part) => part.series)

describe("a simulated season of Apex", () => {
  it("has transactions of every type", () => {
    assert.sameMembers([...new Set(transactions.map(({ type }) => type))], [...transactionTypes])
    assert.strictEqual(new Set(transactions.map(({ transactionId }) => transactionId)).size, transactions.length)
  })

  it("has tournaments with and without a location", () => {
    const locations = parts.flatMap(({ tournaments }) => tournaments.map(({ location }) => location))
    assert.isTrue(locations.includes(null) && locations.some((location) => location !== null))
  })

  it("names a team as it was called when it played", () => {
    for (const { after, before, day } of transactions.filter(({ type }) => type === "team_rename")) {
      const named = (name: string | null) => series.filter(({ teams }) => teams.some(({ teamName }) => teamName === name))
      assert.isTrue(named(before).length > 0 && named(before).every((one) => (one.day ?? "") < day))
      assert.isTrue(named(after).length > 0 && named(after).every((one) => (one.day ?? "") > day))
    }
  })

  it("has every statistic of every player and team, in games that follow each other", () => {
    for (const { endedAt, games, startsAt } of series.filter(({ status }) => status === "completed")) {
      const times = [
        startsAt,
        ...games.flatMap(({ duration, startedAt }) => [startedAt, (startedAt ?? 0) + 1_000 * (duration ?? 0)]),
        endedAt,
      ]
      assert.deepStrictEqual(
        times,
        times.toSorted((one, other) => (one ?? 0) - (other ?? 0)),
      )
      for (const { players, statistics } of games.flatMap(({ teams }) => teams)) {
        assert.lengthOf(players, 3)
        for (const one of [statistics, ...players.map((player) => player.statistics)]) assert.notInclude(Object.values(one), null)
      }
    }
  })

  it("has only players of the squad in a game", () => {
    const moves = transactions.filter(({ type }) => type === "join" || type === "leave")
    for (const { day, playerId, type } of moves) {
      const hasPlayed = ({ games }: (typeof series)[number]) =>
        games.flatMap(({ teams }) => teams.flatMap(({ players }) => players)).some((player) => player.playerId === playerId)
      const played = series.filter(hasPlayed)
      assert.isAbove(played.length, 0, type)
      for (const one of played) assert.isTrue(type === "join" ? (one.day ?? "") > day : (one.day ?? "") < day)
    }
  })
})
