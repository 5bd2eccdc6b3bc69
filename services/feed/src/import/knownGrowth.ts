/**
 * Updates the table statistics of the database while an import fills the tables. The query planner relies on these
 * statistics. If they still describe an empty table, every lookup scans the whole table, so a long import becomes
 * slower with every batch.
 */
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect } from "effect"
import type { ImportEvent } from "./Progress.ts"

/**
 * The table statistics are updated for the first time when this many entities of a source have been written. The next
 * update follows each time the number of written entities has doubled.
 */
const FIRST = 500

/**
 * Returns a listener that updates the table statistics between batches, when no transaction is open. The intervals
 * between updates grow with the number of written entities.
 */
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
