/** Terms of an account from its plan and the exceptions that an operator agreed with the customer. */
import type { AccountChange } from "@matchpoint/contracts/http/admin/AdminApi"
import { ValidationError } from "@matchpoint/contracts/http/errors"
import { type Terms, termsOf } from "@matchpoint/domain/accounts"
import { type Plan, planTerms } from "@matchpoint/domain/plans"
import { Result } from "effect"

export type Agreed = Pick<AccountChange, "addOns" | "game" | "requestsPerMonth" | "requestsPerSecond">

/** The plan's terms, except where the agreed exceptions replace them. */
export const newTerms = (plan: Plan, agreed: Agreed): Result.Result<Terms, ValidationError> =>
  Result.map(fittingGame(plan, agreed), () => termsOf(plan, agreed))

/**
 * If the change names a plan, even the current one, the account gets that plan's quota and rate, unless the change sets
 * them itself. Add-ons are kept unless the change names others. The chosen game is kept as long as the plan is limited
 * to one game.
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
    : Result.fail(ValidationError.because(`plan ${plan} includes all games; omit game, or choose a plan for one game`))
