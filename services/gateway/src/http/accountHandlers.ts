/** What a customer sees of his account. */
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { Plan, planTerms } from "@matchpoint/domain/plans"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const AccountHandlers = HttpApiBuilder.group(
  MatchpointApi,
  "account",
  Effect.fn(function* (handlers) {
    yield* Effect.void
    return handlers.handleAll({
      plans: () => Effect.succeed({ success: true as const, data: Plan.literals.map((plan) => ({ plan, ...planTerms[plan] })), meta: {} }),
      usage: () => Effect.die("being built"),
      sessions: () => Effect.die("being built"),
      session: () => Effect.die("being built"),
    })
  }),
)
