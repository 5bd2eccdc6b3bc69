/**
 * Port to the durable part of metering: the requests given out per account and month, the usage served, and the
 * receipts of streams. Drivers: SQL in the store (production), memory (tests and benchmarks). It owns no policy:
 * `Meter` decides when to take requests and how many.
 */
import type { LeaseReport, SettleAnswer, StreamReceipt } from "@matchpoint/domain/metering/leases"
import { Context, type Effect, Schema } from "effect"

/**
 * The ledger did not respond, so the reports may or may not have been applied. Reporting again with the next revision
 * is safe.
 */
export class LedgerError extends Schema.TaggedError<LedgerError>("@matchpoint/metering/LedgerError")("LedgerError", {
  cause: Schema.Defect(),
}) {}

export class Ledger extends Context.Service<
  Ledger,
  {
    /**
     * Applies all reports and receipts or none; durable when it returns. Reports are applied as the domain's `settle`
     * defines, in any order, at most one per lease. Lines and receipts are totals and never decrease. Leases of a month
     * other than the ledger's current one are granted nothing. Without reports, it returns the ledger's time.
     */
    readonly settle: (
      leases: ReadonlyArray<LeaseReport>,
      receipts: ReadonlyArray<StreamReceipt>,
    ) => Effect.Effect<SettleAnswer, LedgerError>
  }
>()("@matchpoint/metering/Ledger") {}
