/** Which moment it is for the ledger of usage: the database's own clock says, for all gateways alike. Tests give another. */
import { Context, Effect } from "effect"

/** Epoch ms to take for the database's time, asked for once a call. Null: the database's own clock. */
export const LedgerTime = Context.Reference<Effect.Effect<number | null>>("@matchpoint/store/usage/LedgerTime", {
  defaultValue: () => Effect.succeed(null),
})
