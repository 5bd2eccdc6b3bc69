/** How a tier, real time or delayed, reads a stream of match records and takes them. */
import type { LogError, LogRecord } from "@matchpoint/bus/EventLog"
import type { Array as Arr, Effect } from "effect"

export interface TierReading {
  /** Sequence number of the last record that was passed on; 0 at first. Reading continues after it. */
  passed: number
  /** Returns true if the record is old enough for the tier. */
  readonly isDue: (record: LogRecord) => boolean
  /** Passes records on in order, each as soon as it is due. */
  readonly pass: (records: Arr.NonEmptyReadonlyArray<LogRecord>) => Effect.Effect<void, LogError>
  /** Passes on all records that are due, then ends. */
  readonly catchUp: Effect.Effect<void, LogError>
  /** Passes on each record as soon as it is due. Never ends by itself. */
  readonly follow: Effect.Effect<void, LogError>
}
