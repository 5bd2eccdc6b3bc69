/** Tests the formulas of the players' analytics: sums, leaderboards, clutch factor and trend. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { clutchFactor, clutchShares } from "../../../src/rules/analytics/clutches.ts"
import { addSums, noSums, type PlayerSums, sumFields } from "../../../src/rules/analytics/playerSums.ts"
import { boardOf, boardStats, definitionOf, measure, measureForBoard, trendStats } from "../../../src/rules/analytics/stats.ts"
import { trendOf } from "../../../src/rules/analytics/trend.ts"

const sums = (some: Partial<PlayerSums>): PlayerSums => ({ ...noSums, ...some })

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 500 }))
const Sums = Schema.Struct(Object.fromEntries(sumFields.map((field) => [field, Count])) as Record<(typeof sumFields)[number], typeof Count>)
const Players = Schema.Array(Sums).check(Schema.isMaxLength(8))

describe("measure", () => {
  it("divides sums, and rounds", () => {
    const some = sums({ maps: 3, kills: 70, deaths: 60, damage: 9_000, damageMaps: 2, timedKills: 50, seconds: 1_500 })
    assert.strictEqual(measure("kd", some).value, 1.167)
    assert.strictEqual(measure("kills", some).value, 23.3)
    assert.strictEqual(measure("damage", some).value, 4_500)
    assert.strictEqual(measure("kills_per_10", some).value, 20)
  })

  it("states why a value is null", () => {
    assert.strictEqual(measure("kd", noSums).reason, "no_maps")
    assert.strictEqual(measure("damage", sums({ maps: 3, kills: 9 })).reason, "not_recorded")
    const few = measure("kills", sums({ maps: 3, kills: 9 }), 10)
    assert.deepStrictEqual(few, { value: null, sample: 3, minimumSample: 10, reason: "below_minimum_sample" })
  })

  it.prop("adds up: the statistic of two halves is between those of the halves", [Sums, Sums], ([one, other]) => {
    for (const stat of trendStats) {
      const [left, right, both] = [measure(stat, one), measure(stat, other), measure(stat, addSums([one, other]))]
      if (left.value === null || right.value === null || both.value === null) continue
      assert.isAtLeast(both.value, Math.min(left.value, right.value) - 0.1)
      assert.isAtMost(both.value, Math.max(left.value, right.value) + 0.1)
    }
  })
})

describe("boardOf", () => {
  it.prop("lists exactly the players with a value, best first, equal values with equal ranks", [Players], ([all]) => {
    const players = new Map(all.map((one, index) => [`p${index}`, one]))
    const shares = clutchShares(all)
    for (const stat of boardStats) {
      const board = boardOf(stat, players)
      const valued = [...players].filter(([, own]) => measureForBoard(stat, own, shares).value !== null).map(([id]) => id)
      assert.sameMembers(
        board.map(({ playerId }) => playerId),
        valued,
      )
      for (const [index, { rank, sample, value }] of board.entries()) {
        assert.isAtLeast(sample, definitionOf(stat).minimumSample)
        assert.strictEqual(rank, 1 + board.filter((other) => other.value > value).length)
        assert.isAtLeast(board[index - 1]?.value ?? Number.POSITIVE_INFINITY, value)
      }
    }
  })
})

describe("clutchFactor", () => {
  const shares = { "1v1": 0.5, "1v2": 0.25, "1v3": 0.1 }

  it("compares the wins with those of an average player in the same situations", () => {
    const own = sums({
      maps: 5,
      clutchMaps: 5,
      clutch1v1Attempts: 10,
      clutch1v1Wins: 6,
      clutch1v2Attempts: 8,
      clutch1v2Wins: 2,
      clutch1v3Attempts: 10,
      clutch1v3Wins: 4,
    })
    // 12 wins against 10 * 0.5 + 8 * 0.25 + 10 * 0.1 = 8.
    assert.strictEqual(clutchFactor(own, shares).value, 1.5)
  })

  it("is null for few clutches, and says so if nothing was recorded", () => {
    assert.strictEqual(clutchFactor(sums({ maps: 5 }), shares).reason, "not_recorded")
    assert.strictEqual(clutchFactor(sums({ maps: 5, clutchMaps: 5, clutch1v1Attempts: 9 }), shares).reason, "below_minimum_sample")
    assert.strictEqual(clutchFactor(noSums, shares).reason, "no_maps")
  })

  it.prop("is 1 for all players together", [Players], ([all]) => {
    const possible = all.map((one) => ({
      ...one,
      clutch1v1Wins: Math.min(one.clutch1v1Wins, one.clutch1v1Attempts),
      clutch1v2Wins: Math.min(one.clutch1v2Wins, one.clutch1v2Attempts),
      clutch1v3Wins: Math.min(one.clutch1v3Wins, one.clutch1v3Attempts),
    }))
    const { value } = clutchFactor({ ...addSums(possible), maps: 1, clutchMaps: 1 }, clutchShares(possible))
    if (value !== null) assert.approximately(value, 1, 0.01)
  })
})

describe("trendOf", () => {
  it("finds rising and falling values, and none in equal or few ones", () => {
    assert.strictEqual(trendOf([1, 2, 3, 4]), "rising")
    assert.strictEqual(trendOf([4, 3, 2, 1, 0]), "falling")
    assert.strictEqual(trendOf([1, 1, 1, 1, 1]), "stable")
    assert.strictEqual(trendOf([3, 1, 4, 1, 5, 2, 3]), "stable")
    assert.isNull(trendOf([1, 2, 3]))
  })

  // Table values: S = 45 and a variance of 125 give Z = 3.94 for ten rising values.
  it("tolerates outliers", () => {
    assert.strictEqual(trendOf([1, 2, 3, 4, 90, 5, 6, 7, 8, 9]), "rising")
  })

  it.prop("is the opposite for the opposite order", [Schema.Array(Count).check(Schema.isMaxLength(30))], ([values]) => {
    const opposite = { rising: "falling", falling: "rising", stable: "stable" } as const
    const trend = trendOf(values)
    assert.strictEqual(trendOf([...values].reverse()), trend === null ? null : opposite[trend])
    assert.strictEqual(trendOf(values.map((value) => 3 * value + 7)), trend)
  })
})
