/**
 * The persistent part of metering: requests granted per account and month, usage, and stream receipts. With SQL in the
 * store package, in memory for tests and benchmarks. It makes no decisions: `Meter` decides when to ask for how many
 * requests.
 */
import type { LeaseReport, SettleAnswer, StreamReceipt } from "@matchpoint/domain/metering/leases"
import { Context, type Effect, Schema } from "effect"

/** It is unknown whether the reports were applied. They can safely be sent again with the next revision number. */
export class LedgerError extends Schema.TaggedError<LedgerError>("@matchpoint/metering/LedgerError")("LedgerError", {
  cause: Schema.Defect(),
}) {}

export class Ledger extends Context.Service<
  Ledger,
  {
    /**
     * Applies reports and receipts atomically, in any order, and returns when they are durable. The rules are those of
     * `settle` in the domain package. At most one report per lease. Usage per day and receipts are totals and never
     * decrease. Reports about a month other than the current one are granted nothing. Without reports, only the time is
     * returned.
     */
    readonly settle: (
      leases: ReadonlyArray<LeaseReport>,
      receipts: ReadonlyArray<StreamReceipt>,
    ) => Effect.Effect<SettleAnswer, LedgerError>
  }
>()("@matchpoint/metering/Ledger") {}
