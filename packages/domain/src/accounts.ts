/** Customer accounts. An account has a plan and a request quota, which all API keys of the account share. */
import { Schema } from "effect"
import { AddOn, type Feature, Game, Plan, planTerms } from "./plans.ts"

export const AccountId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

export const ApiKeyId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

export const Terms = Schema.Struct({
  plan: Plan,
  addOns: Schema.Array(AddOn),
  /** Null unless the plan includes only one game. */
  game: Schema.NullOr(Game),
  requestsPerMonth: Schema.Natural,
  requestsPerSecond: Schema.Natural,
})
export type Terms = typeof Terms.Type

/** The terms of a key that a request needs. */
export const Customer = Schema.Struct({ keyId: ApiKeyId, accountId: AccountId, ...Terms.fields })
export type Customer = typeof Customer.Type

/** Contract terms of a new account. `game` counts only for plans that include one game; it defaults to CS2. */
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

/** Returns true if the plan includes the feature or the account has it as an add-on. */
export const hasFeature = ({ plan, addOns }: Pick<Terms, "plan" | "addOns">, feature: Feature): boolean =>
  planTerms[plan].features.includes(feature) || addOns.some((addOn) => addOn === feature)

export const hasGame = ({ plan, game: chosen }: Pick<Terms, "plan" | "game">, game: Game): boolean =>
  planTerms[plan].games === "all" || chosen === game
