/**
 * Tells the database what its tables have become while an import fills them. It plans by what it knew last: a table that was empty then is
 * read from one end to the other for every row that is looked up, which is what made a long import slower with every batch.
 */
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect } from "effect"
import type { ImportEvent } from "./Progress.ts"

/** Entities of a source that are written before it is worth the first time; then always as many as there were. */
const FIRST = 500

/** Hears of every event; between batches, where no transaction is open, it takes its time: seldom, and less so the more there is. */
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
