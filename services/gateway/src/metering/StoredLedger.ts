import { Ledger, LedgerError } from "@matchpoint/metering/Ledger"
import { UsageLedger } from "@matchpoint/store/usage/UsageLedger"
import { Effect, Layer } from "effect"

export const StoredLedger = Layer.effect(
  Ledger,
  Effect.gen(function* () {
    const usage = yield* UsageLedger
    return Ledger.of({
      settle: (leases, receipts) => Effect.mapError(usage.settle(leases, receipts), (cause) => new LedgerError({ cause })),
    })
  }),
)
