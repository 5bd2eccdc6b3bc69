/** Who pays: an account has a plan and a quota, and keys that all draw on it. */
import { Schema } from "effect"
import { AddOn, type Feature, Game, Plan, planTerms } from "./plans.ts"

export const AccountId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

export const ApiKeyId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

/** What an account has agreed to. */
export const Terms = Schema.Struct({
  plan: Plan,
  addOns: Schema.Array(AddOn),
  /** The chosen one of a plan for one game; null with all others. */
  game: Schema.NullOr(Game),
  requestsPerMonth: Schema.Natural,
  requestsPerSecond: Schema.Natural,
})
export type Terms = typeof Terms.Type

/** The owner of a key, as far as serving him goes. */
export const Customer = Schema.Struct({ keyId: ApiKeyId, accountId: AccountId, ...Terms.fields })
export type Customer = typeof Customer.Type

/** The terms of a new account. Only a plan for one game takes a game: the chosen one, or CS2. */
export const termsOf = (
  plan: Plan,
  agreed: {
    readonly addOns?: ReadonlyArray<AddOn> | undefined
    readonly game?: Game | null | undefined
    readonly requestsPerMonth?: number | undefined
    readonly requestsPerSecond?: number | undefined
  } = {},
): Terms => ({
  plan,
  addOns: agreed.addOns ?? [],
  game: planTerms[plan].games === "one" ? (agreed.game ?? "cs2") : null,
  requestsPerMonth: agreed.requestsPerMonth ?? planTerms[plan].requestsPerMonth,
  requestsPerSecond: agreed.requestsPerSecond ?? planTerms[plan].requestsPerSecond,
})

/** By plan or by add-on. */
export const hasFeature = ({ plan, addOns }: Pick<Terms, "plan" | "addOns">, feature: Feature): boolean =>
  planTerms[plan].features.includes(feature) || addOns.some((addOn) => addOn === feature)

export const hasGame = ({ plan, game: chosen }: Pick<Terms, "plan" | "game">, game: Game): boolean =>
  planTerms[plan].games === "all" || chosen === game
