/**
 * Interface to the persistent part of metering, which stores the requests granted per account and month, the usage, and
 * the receipts of streams. Implemented with SQL by the store package (for production) and in memory (for tests and
 * benchmarks). The ledger makes no decisions: `Meter` decides when to ask it for more requests, and for how many.
 */
import type { LeaseReport, SettleAnswer, StreamReceipt } from "@matchpoint/domain/metering/leases"
import { Context, type Effect, Schema } from "effect"

/**
 * Raised if the ledger did not respond. It is unknown whether the reports were applied. They can safely be sent again
 * with the next revision number.
 */
export class LedgerError extends Schema.TaggedError<LedgerError>("@matchpoint/metering/LedgerError")("LedgerError", {
  cause: Schema.Defect(),
}) {}

export class Ledger extends Context.Service<
  Ledger,
  {
    /**
     * Applies reports and receipts atomically and returns when they are stored durably. Reports are applied in any
     * order, by the rules of `settle` in the domain package. There may be at most one report per lease (block of
     * requests reserved for a gateway). Usage per day and receipts are totals and never decrease. Reports about a month
     * other than the ledger's current month are granted nothing. If there are no reports, only the ledger's time is
     * returned.
     */
    readonly settle: (
      leases: ReadonlyArray<LeaseReport>,
      receipts: ReadonlyArray<StreamReceipt>,
    ) => Effect.Effect<SettleAnswer, LedgerError>
  }
>()("@matchpoint/metering/Ledger") {}
