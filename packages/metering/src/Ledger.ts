/**
 * The port to what is durable about metering: how much of each account's month is given out, what was served of it, the receipts of
 * streams. Drivers: the SQL of the store (production), memory (tests, benchmarks). Owns no policy: when to take and how much is Meter's.
 */
import type { LeaseReport, SettleAnswer, StreamReceipt } from "@matchpoint/domain/metering/leases"
import { Context, type Effect, Schema } from "effect"

/** The ledger did not answer; what was reported may or may not have counted. Reporting again, with the next revision, is safe. */
export class LedgerError extends Schema.TaggedError<LedgerError>("@matchpoint/metering/LedgerError")("LedgerError", {
  cause: Schema.Defect(),
}) {}

export class Ledger extends Context.Service<
  Ledger,
  {
    /**
     * All or nothing, durable when answered. Applies every report as `settle` of the domain says, in any order, at most one per lease;
     * lines and receipts are absolute and never go back. Leases of a month that is not the ledger's current one are granted nothing.
     * Without reports it tells the time.
     */
    readonly settle: (
      leases: ReadonlyArray<LeaseReport>,
      receipts: ReadonlyArray<StreamReceipt>,
    ) => Effect.Effect<SettleAnswer, LedgerError>
  }
>()("@matchpoint/metering/Ledger") {}
