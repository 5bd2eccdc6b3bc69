/**
 * Public API keys and tokens for development, so that a new user can call the API immediately. Valid only on a
 * standalone server with the embedded database.
 */
import { termsOf } from "@matchpoint/domain/accounts"
import { type Plan, planTerms } from "@matchpoint/domain/plans"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { Effect, Layer, Option, Redacted } from "effect"
import { StandaloneConfig } from "./StandaloneConfig.ts"

export const devPlans: ReadonlyArray<Plan> = ["free", "starter", "pro", "business", "scale", "enterprise"]

export const devKey = (plan: Plan): string => `mp_dev_${plan}`

/** Separate from the development keys, because the live page follows matches all day and would use up their quota. */
export const pageKey = "mp_dev_page"

export const devFeedToken = "mp_dev_feed"

export const devAdminToken = "mp_dev_admin"

const PAGE_REQUESTS_PER_MONTH = 1_000_000_000

/**
 * Registers one key per plan with its regular terms, so that developers see the same limits as their customers. The key
 * for Pro also has the add-ons that Pro offers.
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

/** The keys must exist when the server accepts the first request. */
export const DevKeys = Layer.effectDiscard(
  Effect.flatMap(StandaloneConfig, ({ databaseUrl }) => (Option.isNone(databaseUrl) ? registerDevKeys : Effect.void)),
)
