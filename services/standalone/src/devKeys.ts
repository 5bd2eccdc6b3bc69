/** Keys everybody knows, one per plan, so that a newcomer can call the API at once. Only for standalone on the embedded database. */
import { termsOf } from "@matchpoint/domain/accounts"
import type { Plan } from "@matchpoint/domain/plans"
import { KeyRegister } from "@matchpoint/store/KeyRegister"
import { Effect, Redacted } from "effect"

export const devPlans: ReadonlyArray<Plan> = ["free", "starter", "pro", "business", "scale", "enterprise"]

export const devKey = (plan: Plan): string => `mp_dev_${plan}`

/** The feed token of a standalone server on the embedded database, unless another is set. */
export const devFeedToken = "mp_dev_feed"

export const registerDevKeys = Effect.gen(function* () {
  const keys = yield* KeyRegister
  yield* Effect.forEach(
    devPlans,
    (plan) => keys.put({ secret: Redacted.make(devKey(plan)), terms: termsOf(plan), label: `development, ${plan}` }),
    {
      discard: true,
    },
  )
})
