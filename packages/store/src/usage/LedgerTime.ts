/**
 * Source of the current time for the usage ledger: by default the database's clock, which is the same for all gateways.
 * Tests override it.
 */
import { Context, Effect } from "effect"

/** Epoch ms, or null for the database's clock. Evaluated once per ledger operation. */
export const LedgerTime = Context.Reference<Effect.Effect<number | null>>("@matchpoint/store/usage/LedgerTime", {
  defaultValue: () => Effect.succeed(null),
})
