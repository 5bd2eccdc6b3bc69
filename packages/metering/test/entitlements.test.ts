import { assert, describe, it } from "@effect/vitest"
import { termsOf } from "@matchpoint/domain/accounts"
import { Game, Plan } from "@matchpoint/domain/plans"
import { refusalOf, tooOldFor } from "../src/entitlements.ts"
import { customerOf } from "./fixtures.ts"

const now = Date.UTC(2026, 10, 22)
const DAY_MS = 86_400_000

describe("entitlements", () => {
  it("rejects features outside the plan and names the plans that include them", () => {
    const refusal = refusalOf(customerOf("free", 500), { feature: "live-websockets" })
    assert.strictEqual(refusal?.error.code, "PLAN_REQUIRED")
    assert.deepInclude(refusal?.error.details, { plans: ["scale", "enterprise"], plan: "free" })
    assert.isUndefined(refusalOf({ ...customerOf("pro", 1), addOns: ["live-websockets"] }, { feature: "live-websockets" }))
  })

  it("limits a plan for one game to the chosen game, and checks the game before the feature", () => {
    const starter = { ...customerOf("starter", 10_000), ...termsOf("starter", { game: "cod" }) }
    for (const game of Game.literals) {
      assert.strictEqual(refusalOf(starter, { game })?.error.code, game === "cod" ? undefined : "GAME_NOT_INCLUDED")
    }
    assert.strictEqual(refusalOf(starter, { game: "cs2", feature: "odds" })?.error.code, "GAME_NOT_INCLUDED")
    assert.isUndefined(refusalOf(starter, {}))
  })

  it("limits history exactly to the days of the plan", () => {
    const days = { free: 30, starter: 90 } as const
    for (const plan of Plan.literals) {
      const customer = customerOf(plan, 1)
      const limit = plan === "free" || plan === "starter" ? days[plan] : undefined
      assert.isUndefined(tooOldFor(customer, limit === undefined ? 0 : now - limit * DAY_MS, now))
      if (limit !== undefined) assert.strictEqual(tooOldFor(customer, now - limit * DAY_MS - 1, now)?.error.code, "HISTORY_LIMIT")
    }
  })
})
