/** Keys and tokens everybody knows, a key per plan, so that a newcomer can call the API at once. Only for standalone on the embedded database. */
import { termsOf } from "@matchpoint/domain/accounts"
import { type Plan, planTerms } from "@matchpoint/domain/plans"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { Effect, Redacted } from "effect"

export const devPlans: ReadonlyArray<Plan> = ["free", "starter", "pro", "business", "scale", "enterprise"]

export const devKey = (plan: Plan): string => `mp_dev_${plan}`

/** The live page's own: it follows matches all day, and must not use up what a developer has. */
export const pageKey = "mp_dev_page"

/** The feed token of a standalone server on the embedded database, unless another is set. */
export const devFeedToken = "mp_dev_feed"

/** The admin token of a standalone server on the embedded database, unless another is set. */
export const devAdminToken = "mp_dev_admin"

const PAGE_REQUESTS_PER_MONTH = 1_000_000_000

/** Each plan as it is sold, so that a developer meets the limits his customers will meet; Pro with the add-on it can be sold with. */
export const registerDevKeys = Effect.gen(function* () {
  const keys = yield* KeyRegister
  for (const plan of devPlans) {
    const addOns = plan === "pro" ? planTerms[plan].addOns : []
    yield* keys.put({ secret: Redacted.make(devKey(plan)), terms: termsOf(plan, { addOns }), label: `development, ${plan}` })
  }
  const terms = termsOf("scale", { requestsPerMonth: PAGE_REQUESTS_PER_MONTH })
  yield* keys.put({ secret: Redacted.make(pageKey), terms, label: "live page" })
})
