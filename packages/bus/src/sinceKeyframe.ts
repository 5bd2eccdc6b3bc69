/**
 * Finds the records that a reader needs to start in the middle of the stream LIVE: those of one match from its nearest
 * earlier keyframe (a record with the complete state) onwards. The log can only be read forward, so the search reads
 * ever larger ranges before the position. A match has a keyframe at least every 32 records.
 */
import { cursorOfMessageId, LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { kindOfRecord } from "@matchpoint/contracts/stream/record"
import type { MatchId } from "@matchpoint/domain/ids"
import { Effect, Stream } from "effect"
import type { EventLog, LogError, LogRecord } from "./EventLog.ts"

/** Number of log positions that the first search covers. Each further search covers eight times as many. */
const FIRST_LOOK = 1_024

/**
 * Reads the records of the match up to the position, oldest first, starting with a keyframe. Empty if the log has no
 * keyframe at or before the position.
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
            // Skips records with an older cursor than the newest one. They were published by a former owner of the
            // match after it had lost ownership.
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
