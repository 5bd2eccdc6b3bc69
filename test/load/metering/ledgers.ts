// Owns the compared ledgers, and the count of calls to each.
import { Ledger } from "@matchpoint/metering/Ledger"
import * as LedgerMemory from "@matchpoint/metering/LedgerMemory"
import { MeteringConfig } from "@matchpoint/metering/MeteringConfig"
import { StoredLedger } from "@matchpoint/service-gateway/metering/StoredLedger"
import { Effect, Layer } from "effect"
import type { Metering } from "./orders.ts"

/** Counts the calls to the ledger. */
export class CountedLedger {
  settles = 0

  readonly layer = Layer.effect(
    Ledger,
    Effect.map(Ledger, (ledger) =>
      Ledger.of({
        ...ledger,
        settle: (leases, receipts) =>
          Effect.suspend(() => {
            this.settles += 1
            return ledger.settle(leases, receipts)
          }),
      }),
    ),
  )
}

const MEMORY_QUOTA = 50_000_000

/** The ledger in memory has one quota for all accounts. The exact crowd has a small one. */
export const ledgerOf = (metering: Metering, isExact: boolean) =>
  metering === "stored" ? StoredLedger : LedgerMemory.layer(isExact ? 10_000 : MEMORY_QUOTA)

export const settingsOf = (metering: Metering) =>
  Layer.effect(
    MeteringConfig,
    Effect.map(MeteringConfig, (defaults) => ({ ...defaults, enabled: metering !== "off" })),
  )
