/**
 * Updates the table statistics of the database while an import fills the tables. If they still describe an empty table,
 * the query planner scans the whole table for every lookup, and a long import becomes slower with every batch.
 */
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect } from "effect"
import type { ImportEvent } from "./Progress.ts"

/** Written entities of a source at the first update. The next follow whenever the number has doubled. */
const FIRST = 500

/** The returned listener updates the statistics between batches, when no transaction is open. */
export const refreshPlannerStatistics = Effect.fn("import.knownGrowth")(function* <R>(analyze: Effect.Effect<void, StoreError, R>) {
  const context = yield* Effect.context<R>()
  let written = 0
  let next = FIRST
  return (event: ImportEvent): Effect.Effect<void, StoreError> => {
    if (event.type === "SourceBegun") {
      written = 0
      next = FIRST
    }
    if (event.type !== "BatchDone") return Effect.void
    written += event.tally.created + event.tally.updated
    if (written < next) return Effect.void
    next = 2 * written
    return Effect.provideContext(analyze, context)
  }
})
