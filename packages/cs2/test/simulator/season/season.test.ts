import { assert, describe, it } from "@effect/vitest"
import { simulateSeason } from "../../../src/simulator/season/season.ts"
import { seasonStandings } from "../../../src/simulator/season/standings.ts"
import { simulatedWorld } from "../../../src/simulator/world.ts"

const now = Date.parse("2026-11-22T12:00:00Z")
const stepsAt = (moment: number) => [...simulateSeason({ seed: 1, now: moment, finished: 4 })]
const steps = stepsAt(now)
const season = steps.flatMap((step) => (step._tag === "Tournament" ? [step.tournament] : []))

describe("simulateSeason", () => {
  it("gives the same season for the same seed and day", () => {
    assert.deepStrictEqual(stepsAt(now + 60_000), steps)
  })

  it("contains finished tournaments, one in progress and one announced", () => {
    assert.deepStrictEqual(
      season.map(({ matches, standings }) => [
        matches.filter(({ status }) => status === "completed").length,
        matches.length,
        standings.length,
      ]),
      [
        [7, 7, 8],
        [7, 7, 8],
        [7, 7, 8],
        [7, 7, 8],
        [4, 6, 0],
        [0, 4, 0],
      ],
    )
  })

  it("yields each match once, before its tournament", () => {
    assert.deepStrictEqual(
      steps.flatMap((step) => (step._tag === "Match" ? [step.match] : [])),
      season.flatMap(({ matches }) => matches),
    )
  })

  it("yields matches with consistent scores, rounds and statistics", () => {
    for (const match of season.flatMap(({ matches }) => matches).filter(({ status }) => status === "completed")) {
      const [one, two] = match.score ?? [0, 0]
      assert.strictEqual(match.winner, one > two ? 0 : 1)
      assert.strictEqual(Math.max(one, two), ((match.bestOf ?? 0) + 1) / 2)
      assert.strictEqual(match.veto?.length, 7)
      assert.isAbove(match.streamLinks?.length ?? 0, 0)
      assert.strictEqual(match.demoLinks?.length, match.games.length)
      for (const { lines, rounds, score } of match.games) {
        assert.strictEqual(lines.length, 10)
        assert.strictEqual(rounds.length, (score?.[0] ?? 0) + (score?.[1] ?? 0))
        const kills = lines.reduce((sum, line) => sum + line.kills, 0)
        const deaths = lines.reduce((sum, line) => sum + line.deaths, 0)
        assert.isTrue(kills <= deaths && kills > deaths * 0.9, `${kills} kills, ${deaths} deaths`)
        assert.isTrue(
          lines.every(
            ({ adr = -1, economy, kast = -1, rating = -9 }) =>
              adr > 0 && kast > 0 && kast <= 1 && rating > -1 && (economy?.purchases ?? 0) > 0,
          ),
        )
      }
    }
  })

  it("records every grenade and its effects", () => {
    const lines = season.flatMap(({ matches }) => matches.flatMap(({ games }) => games.flatMap(({ lines }) => lines)))
    const sum = (of: (line: (typeof lines)[number]) => number) => lines.reduce((total, line) => total + of(line), 0)
    const rounds = sum((line) => line.rounds)
    // Throws per player and round. Professional players throw slightly more.
    for (const kind of ["flashes", "smokes", "fireGrenades", "heGrenades"] as const) {
      const perRound = sum(({ utility }) => utility?.[kind] ?? Number.NaN) / rounds
      assert.isTrue(perRound > 0.05 && perRound < 1, `${kind}: ${perRound}`)
    }
    assert.isTrue(lines.every(({ utilityDamage }) => utilityDamage !== undefined))
    assert.isAbove(sum(({ utilityDamage = 0 }) => utilityDamage) / rounds, 1)
    assert.isAbove(
      sum(({ flashAssists = 0 }) => flashAssists),
      0,
    )
    const [game] = season[3]?.matches[0]?.games ?? []
    const thrown = game?.events.filter(
      ({ type }) => type === "Flashbang" || type === "Smoke" || type === "FireGrenade" || type === "HeGrenade",
    )
    assert.strictEqual(
      thrown?.length,
      game?.lines.reduce((total, { utility: u }) => total + (u ? u.flashes + u.smokes + u.fireGrenades + u.heGrenades : 0), 0),
    )
  })

  it("ranks teams globally and by region after every finished tournament", () => {
    const places = seasonStandings(season)
    assert.strictEqual(new Set(places.map(({ rankedOn }) => rankedOn)).size, 4)
    const last = places.filter(({ rankedOn }) => rankedOn === places.at(-1)?.rankedOn)
    const world = last.filter(({ region }) => region === "global")
    assert.deepStrictEqual(
      world.map(({ rank }) => rank),
      world.map((_, index) => index + 1),
    )
    assert.isTrue(world.every(({ points, roster }, index) => roster.length === 5 && points <= (world[index - 1]?.points ?? points)))
    assert.sameMembers(
      last.filter(({ region }) => region !== "global").map(({ teamNumber }) => teamNumber),
      world.map(({ teamNumber }) => teamNumber),
    )
  })

  it("gives every person a profile and every team a coach", () => {
    const [world] = steps
    if (world?._tag !== "World") return assert.fail("the world comes first")
    const { people, teams } = world
    assert.strictEqual(people.filter(({ role }) => role === "coach").length, teams.length)
    assert.strictEqual(people.length, 6 * teams.length)
    assert.strictEqual(new Set(people.map(({ nickname }) => nickname)).size, people.length)
    for (const { birthDate, countryCode, realName } of people) {
      assert.match(countryCode, /^[A-Z]{2}$/)
      assert.isAbove(realName.length, 0)
      assert.match(birthDate, /^(199[5-9]|200[0-7])-/)
    }
    assert.isTrue(teams.every(({ tag }) => /^[A-Z]{3}$/.test(tag)))
  })

  it("ends with the line-ups of live matches", () => {
    const world = simulatedWorld(1)
    const last = season.at(-1)?.matches ?? []
    assert.isAbove(last.length, 0)
    for (const { lineups, teams } of last) {
      for (const slot of [0, 1] as const) {
        const players = world.team(teams[slot].teamNumber ?? 0).players.map(({ id }): string => id)
        assert.sameMembers(
          lineups[slot].map(({ key = "" }) => key),
          players,
        )
      }
    }
  })

  it("contains players who change teams", () => {
    const teamsOf = new Map<string, Set<string>>()
    for (const { lineups, teams } of season.flatMap(({ matches }) => matches)) {
      for (const slot of [0, 1] as const) {
        for (const { key = "" } of lineups[slot]) teamsOf.set(key, (teamsOf.get(key) ?? new Set()).add(teams[slot].name))
      }
    }
    assert.isAbove([...teamsOf.values()].filter(({ size }) => size > 1).length, 0)
  })
})
