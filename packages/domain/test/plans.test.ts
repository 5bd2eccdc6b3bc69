import { assert, describe, it } from "@effect/vitest"
import { hasFeature, hasGame, termsOf } from "../src/accounts.ts"
import { Feature, Game, historyStart, Plan, planReaching, plansSelling, plansWith, planTerms } from "../src/plans.ts"

const DAY_MS = 86_400_000

describe("plans", () => {
  it("have the numbers of the specification", () => {
    const { free, starter } = planTerms
    assert.deepInclude(free, { requestsPerMonth: 500, historyDays: 30, delaySeconds: 60, games: "all" })
    assert.deepInclude(starter, { requestsPerMonth: 10_000, historyDays: 90, delaySeconds: 60, games: "one" })
    for (const plan of ["pro", "business", "scale", "enterprise"] as const) {
      assert.deepInclude(planTerms[plan], { historyDays: null, delaySeconds: 0, games: "all" })
    }
    assert.deepStrictEqual(plansWith("webhooks"), ["pro", "business", "scale", "enterprise"])
    assert.deepStrictEqual(plansWith("odds"), ["pro", "business", "scale", "enterprise"])
    assert.deepStrictEqual(plansWith("live-websockets"), ["scale", "enterprise"])
    assert.include(plansSelling("live-websockets"), "pro")
  })

  it("never include less in a higher plan", () => {
    for (const [n, plan] of Plan.literals.entries()) {
      const higher = Plan.literals[n + 1]
      if (higher === undefined) continue
      const [low, high] = [planTerms[plan], planTerms[higher]]
      for (const number of ["requestsPerMonth", "requestsPerSecond", "connections", "rooms", "replays", "keys"] as const) {
        assert.isAtMost(low[number], high[number], `${number} of ${plan}`)
      }
      assert.isAtLeast(low.delaySeconds, high.delaySeconds)
      assert.isAtLeast(historyStart(plan, 0), historyStart(higher, 0))
      assert.includeMembers([...high.features], [...low.features])
    }
  })

  it("add the features of add-ons, and limit a plan for one game to the chosen game", () => {
    assert.isFalse(hasFeature(termsOf("pro"), "live-websockets"))
    assert.isTrue(hasFeature(termsOf("pro", { addOns: ["live-websockets"] }), "live-websockets"))
    const chosen = termsOf("starter", { game: "tennis" })
    assert.deepStrictEqual(
      Game.literals.filter((game) => hasGame(chosen, game)),
      ["tennis"],
    )
    assert.isNull(termsOf("pro", { game: "tennis" }).game)
    assert.isTrue(Game.literals.every((game) => hasGame(termsOf("free"), game)))
    assert.isTrue(Feature.literals.every((feature) => hasFeature(termsOf("enterprise"), feature)))
  })

  it("name the cheapest plan whose history reaches back far enough", () => {
    const now = Date.UTC(2026, 10, 22)
    assert.deepStrictEqual(
      [0, 30, 30.1, 90, 90.1, 4_000].map((days) => planReaching(now - days * DAY_MS, now)),
      ["free", "free", "starter", "starter", "pro", "pro"],
    )
  })
})
