/** The one place that says whether a customer may have something, and what he needs if not. How much and how fast is Meter's. */
import { GameNotIncluded, HistoryLimit, PlanRequired } from "@matchpoint/contracts/http/errors"
import { type Customer, hasFeature, hasGame } from "@matchpoint/domain/accounts"
import { type Feature, type Game, historyStart } from "@matchpoint/domain/plans"

/** Undefined: he may. */
export const refusalOf = (
  customer: Customer,
  asked: { readonly game?: Game | undefined; readonly feature?: Feature | undefined },
): PlanRequired | GameNotIncluded | undefined => {
  if (asked.game !== undefined && !hasGame(customer, asked.game)) return GameNotIncluded.of(asked.game, customer.game, customer.plan)
  if (asked.feature !== undefined && !hasFeature(customer, asked.feature)) return PlanRequired.of(asked.feature, customer.plan)
  return undefined
}

/** Whether something of the moment `at` (epoch ms) is too old for the customer's plan. Undefined: it is not. */
export const tooOldFor = ({ plan }: Customer, at: number, now: number): HistoryLimit | undefined =>
  at < historyStart(plan, now) ? HistoryLimit.of(plan, at, now) : undefined
