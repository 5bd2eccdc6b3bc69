/**
 * Public API keys (one per plan) and tokens for development, so that a new user can call the API immediately. They are
 * valid only on a standalone server with the embedded database.
 */
import { termsOf } from "@matchpoint/domain/accounts"
import { type Plan, planTerms } from "@matchpoint/domain/plans"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { Effect, Layer, Option, Redacted } from "effect"
import { StandaloneConfig } from "./StandaloneConfig.ts"

export const devPlans: ReadonlyArray<Plan> = ["free", "starter", "pro", "business", "scale", "enterprise"]

export const devKey = (plan: Plan): string => `mp_dev_${plan}`

/**
 * API key that the live page uses. It is separate from the development keys, because the page follows matches all day
 * and would otherwise use up the quota of a development key.
 */
export const pageKey = "mp_dev_page"

/** Default feed token of a standalone server with the embedded database. */
export const devFeedToken = "mp_dev_feed"

/** Default admin token of a standalone server with the embedded database. */
export const devAdminToken = "mp_dev_admin"

const PAGE_REQUESTS_PER_MONTH = 1_000_000_000

/**
 * Registers one development key per plan with the regular terms of that plan, so that developers see the same limits as
 * their customers. The key for Pro also includes the add-ons that Pro offers.
 */
const registerDevKeys = Effect.gen(function* () {
  const keys = yield* KeyRegister
  for (const plan of devPlans) {
    const addOns = plan === "pro" ? planTerms[plan].addOns : []
    yield* keys.put({ secret: Redacted.make(devKey(plan)), terms: termsOf(plan, { addOns }), label: `development, ${plan}` })
  }
  const terms = termsOf("scale", { requestsPerMonth: PAGE_REQUESTS_PER_MONTH })
  yield* keys.put({ secret: Redacted.make(pageKey), terms, label: "live page" })
})

/** Registers the development keys, which must exist when the server accepts the first request. */
export const DevKeys = Layer.effectDiscard(
  Effect.flatMap(StandaloneConfig, ({ databaseUrl }) => (Option.isNone(databaseUrl) ? registerDevKeys : Effect.void)),
)
