/**
 * Source of the current time for the usage ledger. By default this is the database's clock, which is the same for all
 * gateways. Tests override it.
 */
import { Context, Effect } from "effect"

/**
 * Returns the current time in epoch ms, or null if the database's clock is to be used. Evaluated once per ledger
 * operation.
 */
export const LedgerTime = Context.Reference<Effect.Effect<number | null>>("@matchpoint/store/usage/LedgerTime", {
  defaultValue: () => Effect.succeed(null),
})
