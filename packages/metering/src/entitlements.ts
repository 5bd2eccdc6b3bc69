/**
 * Whether a plan includes a game, a feature or data of a given age. The error names the plan that the customer needs.
 */
import { GameNotIncluded, HistoryLimit, PlanRequired } from "@matchpoint/contracts/http/errors"
import { type Customer, hasFeature, hasGame } from "@matchpoint/domain/accounts"
import { type Feature, type Game, historyStart } from "@matchpoint/domain/plans"

export const entitlementError = (
  customer: Customer,
  requested: { readonly game?: Game | undefined; readonly feature?: Feature | undefined },
): PlanRequired | GameNotIncluded | undefined => {
  if (requested.game !== undefined && !hasGame(customer, requested.game))
    return GameNotIncluded.of(requested.game, customer.game, customer.plan)
  if (requested.feature !== undefined && !hasFeature(customer, requested.feature)) return PlanRequired.of(requested.feature, customer.plan)
  return undefined
}

/** `at` is the time of the requested data, in epoch milliseconds. */
export const historyError = ({ plan }: Customer, at: number, now: number): HistoryLimit | undefined =>
  at < historyStart(plan, now) ? HistoryLimit.of(plan, at, now) : undefined
