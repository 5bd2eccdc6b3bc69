/**
 * Updates the database's table statistics while an import fills the tables. The query planner relies on them. With
 * statistics from an empty table, every lookup scans the whole table, which makes a long import slower with every
 * batch.
 */
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect } from "effect"
import type { ImportEvent } from "./Progress.ts"

/**
 * Number of written entities of a source before the first update. After each update the threshold is twice the number
 * written so far.
 */
const FIRST = 500

/**
 * Returns a listener that updates the statistics between batches, when no transaction is open. The more has been
 * written, the rarer the updates.
 */
export const knownGrowth = Effect.fn("import.knownGrowth")(function* <R>(analyze: Effect.Effect<void, StoreError, R>) {
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
