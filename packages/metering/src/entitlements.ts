/**
 * Decides whether a customer may use a game, a feature or old data, and which plan it needs otherwise. `Meter` and
 * `RateLimits` decide how much and how fast.
 */
import { GameNotIncluded, HistoryLimit, PlanRequired } from "@matchpoint/contracts/http/errors"
import { type Customer, hasFeature, hasGame } from "@matchpoint/domain/accounts"
import { type Feature, type Game, historyStart } from "@matchpoint/domain/plans"

/**
 * Returns the error for a game or feature that the customer's plan does not include, or undefined if access is allowed.
 */
export const refusalOf = (
  customer: Customer,
  asked: { readonly game?: Game | undefined; readonly feature?: Feature | undefined },
): PlanRequired | GameNotIncluded | undefined => {
  if (asked.game !== undefined && !hasGame(customer, asked.game)) return GameNotIncluded.of(asked.game, customer.game, customer.plan)
  if (asked.feature !== undefined && !hasFeature(customer, asked.feature)) return PlanRequired.of(asked.feature, customer.plan)
  return undefined
}

/**
 * Returns the error for data of the time `at` (epoch milliseconds) if the customer's plan does not reach that far back,
 * or undefined.
 */
export const tooOldFor = ({ plan }: Customer, at: number, now: number): HistoryLimit | undefined =>
  at < historyStart(plan, now) ? HistoryLimit.of(plan, at, now) : undefined
