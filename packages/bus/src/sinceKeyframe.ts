/**
 * Finds the records that a reader needs to start in the middle of the LIVE stream. These are the records of one match,
 * from the nearest earlier keyframe (a record with the complete state) onwards. The log can only be read forward, so
 * the search starts with a small range before the position and repeats with ever larger ranges. A match has a keyframe
 * at least every 32 records.
 */
import { cursorOfMessageId, LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { kindOfRecord } from "@matchpoint/contracts/stream/record"
import type { MatchId } from "@matchpoint/domain/ids"
import { Effect, Stream } from "effect"
import type { EventLog, LogError, LogRecord } from "./EventLog.ts"

/** Number of log positions that the first search covers. Each further search covers eight times as many. */
const FIRST_LOOK = 1_024

/**
 * Reads the records of one match from the nearest keyframe before the position up to the position, oldest first. Empty
 * if the log has no keyframe at or before the position.
 */
export const sinceKeyframe = Effect.fnUntraced(function* (
  log: EventLog["Service"],
  matchId: MatchId,
  position: number,
): Effect.fn.Return<ReadonlyArray<LogRecord>, LogError> {
  for (let look = FIRST_LOOK; ; look *= 8) {
    const after = position - look
    // Records since the newest keyframe found so far. Earlier records are discarded, which limits the memory in use.
    let records: Array<LogRecord> = []
    let newest: LogRecord | undefined
    yield* log.read(LIVE, liveSubject(matchId), after < 1 ? { _tag: "First" } : { _tag: "After", sequence: after }).pipe(
      Stream.takeWhile(({ sequence }) => sequence <= position),
      Stream.runForEachArray((chunk) =>
        Effect.sync(() => {
          for (const record of chunk) {
            // Skips records whose cursor is older than that of a record already read. A process published them after it
            // had lost ownership of the match to another process.
            if (isBefore(record, newest)) continue
            newest = record
            const kind = kindOfRecord(record.data)
            if (kind === undefined) records = []
            else if (kind !== "change") records = [record]
            else if (records.length > 0) records.push(record)
          }
        }),
      ),
    )
    if (records.length > 0 || after < 1) return records
  }
})

const isBefore = (record: LogRecord, newest: LogRecord | undefined): boolean => {
  const a = cursorOfMessageId(record.id)
  const b = newest === undefined ? undefined : cursorOfMessageId(newest.id)
  return a !== undefined && b !== undefined && (a.epoch < b.epoch || (a.epoch === b.epoch && a.seq < b.seq))
}
