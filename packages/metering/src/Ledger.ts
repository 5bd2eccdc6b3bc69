/**
 * Interface to the durable part of metering, which stores the requests granted per account and month, the usage, and
 * the receipts of streams. Implemented with SQL by the store package (for production) and in memory (for tests and
 * benchmarks). The ledger has no policy: `Meter` decides when to request more from it and how much.
 */
import type { LeaseReport, SettleAnswer, StreamReceipt } from "@matchpoint/domain/metering/leases"
import { Context, type Effect, Schema } from "effect"

/**
 * Raised if the ledger did not respond. The reports may or may not have been applied, so it is safe to report again
 * with the next revision number.
 */
export class LedgerError extends Schema.TaggedError<LedgerError>("@matchpoint/metering/LedgerError")("LedgerError", {
  cause: Schema.Defect(),
}) {}

export class Ledger extends Context.Service<
  Ledger,
  {
    /**
     * Applies reports and receipts, either all of them or none, and returns when they are stored durably. Reports are
     * applied in any order, by the rules of the domain's `settle`; there may be at most one per lease. Usage per day
     * and receipts are totals and never decrease. A lease for a month other than the ledger's current month is granted
     * nothing. If there are no reports, only the ledger's time is returned.
     */
    readonly settle: (
      leases: ReadonlyArray<LeaseReport>,
      receipts: ReadonlyArray<StreamReceipt>,
    ) => Effect.Effect<SettleAnswer, LedgerError>
  }
>()("@matchpoint/metering/Ledger") {}
