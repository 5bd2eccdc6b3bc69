/** Tests the analytics of teams: playstyle, tendencies and matches between two teams. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { MINIMUM_MAPS, playstyleOf, styles, type TeamModeSums } from "../../../src/rules/analytics/playstyle.ts"
import { countTeamMeetings } from "../../../src/rules/analytics/teamMeetings.ts"
import { tendenciesOf } from "../../../src/rules/analytics/tendencies.ts"

const modeSums = (some: Partial<TeamModeSums>): TeamModeSums => ({
  teamSlug: "a",
  mode: "hardpoint",
  maps: 10,
  wins: 5,
  points: 2_000,
  pointsAgainst: 2_000,
  linePoints: 4_000,
  kills: 1_000,
  deaths: 1_000,
  objectives: 0,
  objectiveMaps: 0,
  ...some,
})

/** Five teams that play the three modes. `kills` are those of hardpoint. */
const league = (kills: ReadonlyArray<number>): ReadonlyArray<TeamModeSums> =>
  kills.flatMap((own, index) =>
    (["hardpoint", "snd", "control"] as const).map((mode) =>
      modeSums({ teamSlug: `team-${index}`, mode, ...(mode === "hardpoint" ? { kills: own } : {}) }),
    ),
  )

describe("playstyleOf", () => {
  it("gives 50 to the average, and 10 more for each standard deviation", () => {
    const all = league([800, 1_000, 1_200, 1_000, 1_000])
    const average = playstyleOf("team-1", all)
    assert.deepStrictEqual([average.playstyle.aggression, average.playstyle.slayingPower, average.playstyle.mapControl], [50, 50, 50])
    // The deviation of -200, 0, 200, 0, 0 is 126.5, so 200 are 1.58 deviations.
    assert.strictEqual(playstyleOf("team-2", all).playstyle.aggression, 65.8)
    assert.strictEqual(playstyleOf("team-2", all).playstyle.slayingPower, 65.8)
    // The team with more kills wins as many points, so it wins fewer than its fights explain.
    assert.isBelow(playstyleOf("team-2", all).playstyle.rotationSpeed ?? 50, 40)
  })

  it("states why a value is null", () => {
    const all = league([900, 1_000, 1_100, 1_000])
    assert.deepStrictEqual(
      playstyleOf("team-0", all).gaps.map(({ field, reason }) => [field, reason]),
      [["playstyle.objectivePlay", "not_recorded"]],
    )
    assert.isTrue(playstyleOf("nobody", all).gaps.every(({ reason }) => reason === "no_maps"))
    assert.isTrue(playstyleOf("team-0", all.slice(0, 3)).gaps.some(({ reason }) => reason === "too_few_teams"))
    const few = all.map((sums) => ({ ...sums, maps: 1 }))
    assert.isTrue(playstyleOf("team-0", few).gaps.some(({ reason, sample }) => reason === "below_minimum_sample" && sample === 3))
  })

  const Teams = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 500, maximum: 1_500 }))).check(
    Schema.isMinLength(4),
    Schema.isMaxLength(14),
  )
  it.prop("has the mean 50 over all teams, and values from 0 to 100", [Teams], ([kills]) => {
    const all = league(kills)
    for (const style of styles) {
      const values = kills.flatMap((_, index) => playstyleOf(`team-${index}`, all).playstyle[style] ?? [])
      if (values.length === 0) continue
      assert.isTrue(values.every((value) => value >= 0 && value <= 100))
      assert.approximately(values.reduce((sum, value) => sum + value, 0) / values.length, 50, 0.1)
    }
  })
})

describe("tendenciesOf", () => {
  const record = (mapName: string, mode: "control" | "hardpoint" | "snd", maps: number, wins: number, picks = 0) => ({
    teamSlug: "a",
    mapName,
    mode,
    maps,
    wins,
    picks,
  })

  it("prefers picked maps, and finds the strongest and the weakest mode", () => {
    const records = [
      record("Quarry", "hardpoint", 8, 6, 1),
      record("Harbor", "hardpoint", 2, 1, 2),
      record("Harbor", "snd", 6, 1, 3),
      record("Depot", "control", MINIMUM_MAPS - 1, 4, 1),
    ]
    assert.deepStrictEqual(tendenciesOf(records), {
      preferredMaps: ["Harbor", "Quarry", "Depot"],
      preferredBy: "picks",
      strongestMode: "hardpoint",
      weakestMode: "snd",
    })
  })

  it("uses the maps played if no pick is known, and names no mode alone", () => {
    const tendencies = tendenciesOf([record("Quarry", "hardpoint", 8, 6), record("Depot", "control", 1, 1)])
    assert.deepStrictEqual(tendencies, {
      preferredMaps: ["Quarry", "Depot"],
      preferredBy: "played",
      strongestMode: null,
      weakestMode: null,
    })
  })
})

describe("countTeamMeetings", () => {
  const meetings = [
    { season: 2026, startsAt: "2026-02-01T18:00:00Z", team1Slug: "b", team1Score: 3, team2Score: 1, winnerSlug: "b" },
    { season: 2026, startsAt: "2026-01-01T18:00:00Z", team1Slug: "a", team1Score: 3, team2Score: 2, winnerSlug: "a" },
    { season: 2025, startsAt: "2025-01-01T18:00:00Z", team1Slug: "a", team1Score: 3, team2Score: 0, winnerSlug: "a" },
  ]

  it("counts from the view of the first team", () => {
    assert.deepStrictEqual(countTeamMeetings("a", meetings, 2026), {
      allTime: { team1Wins: 2, team2Wins: 1, mapRecord: { team1: 7, team2: 5, unknownScores: 0 } },
      currentSeason: {
        season: 2026,
        team1Wins: 1,
        team2Wins: 1,
        lastMatch: { date: "2026-02-01T18:00:00Z", winner: "b", score: "1-3" },
      },
    })
  })

  it("does not count the maps of a match whose score is unknown", () => {
    const unknown = { ...meetings[0], season: 2028, startsAt: "2028-01-01T00:00:00Z", team1Slug: "a", team1Score: null, team2Score: null }
    const counted = countTeamMeetings("a", [{ ...unknown, winnerSlug: "a" }, ...meetings], 2028)
    assert.deepStrictEqual(counted.allTime, { team1Wins: 3, team2Wins: 1, mapRecord: { team1: 7, team2: 5, unknownScores: 1 } })
    assert.deepInclude(counted.currentSeason.lastMatch, { winner: "a", score: null })
  })

  it("mirrors the other view, and has no last match in a season without one", () => {
    const [one, other] = [countTeamMeetings("a", meetings, 2027), countTeamMeetings("b", meetings, 2027)]
    assert.strictEqual(one.allTime.team1Wins, other.allTime.team2Wins)
    assert.deepInclude(one.allTime.mapRecord, { team1: other.allTime.mapRecord.team2, team2: other.allTime.mapRecord.team1 })
    assert.isNull(one.currentSeason.lastMatch)
  })
})
