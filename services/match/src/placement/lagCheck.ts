/** Checks whether the matches keep up with their facts. */
import { type Check, degraded, failed, ok } from "@matchpoint/process/health/Check"
import { Effect } from "effect"
import { PartitionHost } from "./PartitionHost.ts"

/** The oldest fact of a match may wait this long. */
const LATE_AFTER_MS = 5_000

export const lagCheck = Effect.map(
  PartitionHost,
  ({ waitsMs }): Check => ({
    name: "lag",
    find: Effect.sync(() => {
      const waits = waitsMs()
      const late = waits.filter((ms) => ms > LATE_AFTER_MS).length
      if (late === 0) return ok("the matches keep up with their facts")
      const reason = `${late} of ${waits.length} matches have not processed facts for more than ${LATE_AFTER_MS / 1_000} s`
      return late * 2 > waits.length ? failed(reason) : degraded(reason)
    }),
  }),
)
