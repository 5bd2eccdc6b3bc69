/** What an operator agrees with a customer, as the terms of an account. Pure. */
import type { AccountChange } from "@matchpoint/contracts/http/admin/AdminApi"
import { ValidationError } from "@matchpoint/contracts/http/errors"
import { type Terms, termsOf } from "@matchpoint/domain/accounts"
import { type Plan, planTerms } from "@matchpoint/domain/plans"
import { Result } from "effect"

export type Agreed = Pick<AccountChange, "addOns" | "game" | "requestsPerMonth" | "requestsPerSecond">

/** Of a new account: the plan's, except where others are agreed. */
export const newTerms = (plan: Plan, agreed: Agreed): Result.Result<Terms, ValidationError> =>
  Result.map(fittingGame(plan, agreed), () => termsOf(plan, agreed))

/**
 * Of an account that has terms. A plan that is named brings its own quota and rate, also when it is the plan the account has; add-ons
 * stay until others are named, and the chosen game while the plan is for one.
 */
export const changedTerms = (current: Terms, change: AccountChange): Result.Result<Terms, ValidationError> => {
  const plan = change.plan ?? current.plan
  const { addOns = current.addOns, game = current.game } = change
  const own = change.plan === undefined ? current : undefined
  return Result.map(fittingGame(plan, change), () =>
    termsOf(plan, {
      addOns,
      game,
      requestsPerMonth: change.requestsPerMonth ?? own?.requestsPerMonth,
      requestsPerSecond: change.requestsPerSecond ?? own?.requestsPerSecond,
    }),
  )
}

const fittingGame = (plan: Plan, { game }: Agreed): Result.Result<void, ValidationError> =>
  game === undefined || planTerms[plan].games === "one"
    ? Result.succeed(undefined)
    : Result.fail(ValidationError.because(`plan ${plan} is for all games; leave out game, or choose a plan for one`))
