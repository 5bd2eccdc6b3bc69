// Owns the ledgers that are compared, and how often each was asked.
import { Ledger } from "@matchpoint/metering/Ledger"
import * as LedgerMemory from "@matchpoint/metering/LedgerMemory"
import { MeteringConfig } from "@matchpoint/metering/MeteringConfig"
import { StoredLedger } from "@matchpoint/service-gateway/metering/StoredLedger"
import { Effect, Layer } from "effect"
import type { Metering } from "./orders.ts"

/** Counts what goes through it. */
export class Asked {
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

/** The model of the ledger has one quota for all; its exact crowd is told apart by the size of the quota. */
export const ledgerOf = (metering: Metering, isExact: boolean) =>
  metering === "stored" ? StoredLedger : LedgerMemory.layer(isExact ? 10_000 : MEMORY_QUOTA)

export const settingsOf = (metering: Metering) =>
  Layer.effect(
    MeteringConfig,
    Effect.map(MeteringConfig, (defaults) => ({ ...defaults, enabled: metering !== "off" })),
  )
