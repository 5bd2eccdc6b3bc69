/** Tests the rows of the simulated league: scores, lines, brackets and tables agree with each other. */
import { assert, describe, it } from "@effect/vitest"
import type { MapResult, PlayerMapLine } from "../../../src/rules/archive/rows.ts"
import { simulateLeague } from "../../../src/simulator/season/league.ts"

const now = Date.parse("2026-11-25T12:00:00Z")
const leagueAt = (moment: number) => [...simulateLeague({ seed: 1, now: moment })]
const parts = leagueAt(now)
const records = parts.flatMap(({ matches = [] }) => matches)
const played = records.filter(({ match }) => match.status === "completed")

const sum = (lines: ReadonlyArray<PlayerMapLine>, field: keyof PlayerMapLine): number =>
  lines.reduce((total, line) => total + Number(line[field] ?? 0), 0)

/** Points that win a map. */
const targets: Readonly<Record<string, number>> = { snd: 6, control: 3 }

const isLegalScore = ({ durationSeconds, mode, team1Score, team2Score }: MapResult): boolean => {
  const [high, low] = [Math.max(team1Score ?? 0, team2Score ?? 0), Math.min(team1Score ?? 0, team2Score ?? 0)]
  if (high === low) return false
  // A hardpoint ends earlier only if its time has run out.
  return mode === "hardpoint" ? high === 250 || (high < 250 && (durationSeconds ?? 0) >= 600) : high === targets[mode]
}

describe("simulateLeague", () => {
  it("gives the same rows for the same seed and day, and others for another seed", () => {
    const text = JSON.stringify(parts)
    assert.isTrue(JSON.stringify(leagueAt(now)) === text)
    const start = (some: Iterable<unknown>) => JSON.stringify(Iterator.from(some).take(2).toArray())
    assert.isFalse(start(simulateLeague({ seed: 2, now })) === start(parts))
  })

  it("has twelve teams of four, whose ids are unique, and marks all rows as simulated", () => {
    const teams = new Map(parts.flatMap(({ teams: some = [] }) => some).map((team) => [team.slug, team]))
    const players = new Map(parts.flatMap(({ players: some = [] }) => some).map((player) => [player.playerId, player]))
    assert.strictEqual(teams.size, 12)
    assert.strictEqual(players.size, 48)
    assert.isTrue([...teams.values(), ...players.values()].every(({ simulated }) => simulated))
    assert.isTrue(records.every(({ match }) => match.simulated))
    assert.isTrue(
      parts.flatMap(({ tournaments = [] }) => tournaments).every(({ name, simulated }) => simulated && name.endsWith("(simulated)")),
    )
    assert.strictEqual(new Set(records.map(({ match }) => match.matchId)).size, records.length)
  })

  it("has a whole season with a champion and one in progress with coming matches", () => {
    const results = parts.flatMap(({ results: some = [] }) => some)
    const champions = results.filter(({ placement }) => placement === 1).map(({ tournamentId }) => tournamentId)
    assert.deepStrictEqual(champions, [
      ...[1, 2, 3, 4].map((major) => `2026-simulated-major-${major}`),
      "2026-simulated-championship",
      "2027-simulated-major-1",
    ])
    for (const tournamentId of champions)
      assert.lengthOf(
        results.filter((result) => result.tournamentId === tournamentId),
        8,
      )
    const prizes = parts.flatMap(({ earnings = [] }) => earnings).filter(({ tournamentId }) => tournamentId.startsWith("2026"))
    assert.strictEqual(
      prizes.reduce((total, { amount }) => total + amount, 0),
      3_600_000,
    )
    for (const { match } of records) assert.strictEqual(match.status === "completed", Date.parse(match.startsAt) + 3 * 3_600_000 <= now)
    assert.isAbove(records.filter(({ match }) => match.status === "scheduled").length, 30)
  })

  it("has coming matches and recent ones on nearly every day of the year", () => {
    for (const day of [30, 100, 205, 270]) {
      const at = now - day * 86_400_000
      const starts = leagueAt(at).flatMap(({ matches = [] }) => matches.map(({ match }) => Date.parse(match.startsAt)))
      assert.isTrue(starts.some((start) => start > at && start < at + 60 * 86_400_000))
      assert.isTrue(starts.some((start) => start < at && start > at - 40 * 86_400_000))
    }
  })

  it("plays matches to three maps, and maps to the score of their mode", () => {
    for (const { maps, match } of played) {
      const won = (slug: string) => maps.filter(({ winnerSlug }) => winnerSlug === slug).length
      assert.deepStrictEqual([won(match.team1Slug), won(match.team2Slug)], [match.team1Score, match.team2Score])
      assert.strictEqual(Math.max(match.team1Score ?? 0, match.team2Score ?? 0), 3)
      assert.deepStrictEqual(
        maps.map(({ mode }) => mode),
        ["hardpoint", "snd", "control", "hardpoint", "snd"],
      )
      for (const map of maps.filter((one) => one.played)) {
        assert.isTrue(isLegalScore(map), JSON.stringify(map))
        assert.strictEqual(map.winnerSlug, (map.team1Score ?? 0) > (map.team2Score ?? 0) ? match.team1Slug : match.team2Slug)
      }
    }
  })

  it("counts kills, hill time, rounds and clutches that fit each other", () => {
    for (const { lines, maps, match } of played) {
      for (const map of maps.filter((one) => one.played)) {
        const own = lines.filter(({ mapNumber }) => mapNumber === map.mapNumber)
        assert.lengthOf(own, 8)
        const [one, two] = [match.team1Slug, match.team2Slug].map((slug) => own.filter(({ teamSlug }) => teamSlug === slug))
        if (one === undefined || two === undefined) assert.fail("there are no two teams")
        assert.strictEqual(sum(one, "kills"), sum(two, "deaths"))
        assert.strictEqual(sum(two, "kills"), sum(one, "deaths"))
        // A kill can trade several deaths.
        assert.isAtMost(sum(own, "tradeKills"), sum(own, "tradedDeaths"))
        const rounds = (map.team1Score ?? 0) + (map.team2Score ?? 0)
        if (map.mode === "hardpoint") {
          assert.isAtLeast(sum(one, "hillTime"), map.team1Score ?? 0)
          assert.isAtLeast(sum(two, "hillTime"), map.team2Score ?? 0)
        }
        if (map.mode === "snd") {
          assert.strictEqual(sum(own, "firstBloods"), rounds)
          assert.strictEqual(sum(own, "firstDeaths"), rounds)
          assert.isAtMost(sum(own, "defuses"), sum(own, "plants"))
        } else assert.isTrue(own.every(({ clutch1v1Attempts, firstBloods }) => firstBloods === null && clutch1v1Attempts === null))
        for (const line of own) {
          assert.isAtMost(line.clutch1v2Wins ?? 0, line.clutch1v2Attempts ?? 0)
          assert.isTrue(line.damage !== null && line.rating !== null)
        }
      }
    }
  })
})
