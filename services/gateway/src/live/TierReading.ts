/** How a tier, real time or delayed, reads and takes match records. */
import type { LogError, LogRecord } from "@matchpoint/bus/EventLog"
import type { Array as Arr, Effect } from "effect"

export interface TierReading {
  /** Sequence number of the last record that was passed on, 0 at first. Reading continues after it. */
  passed: number
  /** The record is old enough for the tier. */
  readonly isDue: (record: LogRecord) => boolean
  /** In order, each as soon as it is due. */
  readonly pass: (records: Arr.NonEmptyReadonlyArray<LogRecord>) => Effect.Effect<void, LogError>
  /** Passes on all records that are due, then ends. */
  readonly catchUp: Effect.Effect<void, LogError>
  /** Never ends by itself. */
  readonly follow: Effect.Effect<void, LogError>
}
