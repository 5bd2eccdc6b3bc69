/**
 * The records that a reader needs to start in the middle of LIVE: those of one match, from the nearest earlier keyframe
 * (a record with the complete state) onwards. The log can only be read forward, so ever larger ranges before the
 * position are searched. A match has a keyframe at least every 32 records.
 */
import { cursorOfMessageId, LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { kindOfRecord } from "@matchpoint/contracts/stream/record"
import type { MatchId } from "@matchpoint/domain/ids"
import { Effect, Stream } from "effect"
import type { EventLog, LogError, LogRecord } from "./EventLog.ts"

/** Log positions of the first search. Each further search covers eight times as many. */
const FIRST_LOOK = 1_024

/** Oldest first, up to the position. Empty if the log has no keyframe at or before it. */
export const sinceKeyframe = Effect.fnUntraced(function* (
  log: EventLog["Service"],
  matchId: MatchId,
  position: number,
): Effect.fn.Return<ReadonlyArray<LogRecord>, LogError> {
  for (let look = FIRST_LOOK; ; look *= 8) {
    const after = position - look
    // Records since the newest keyframe found so far. Dropping earlier ones limits the memory in use.
    let records: Array<LogRecord> = []
    let newest: LogRecord | undefined
    yield* log.read(LIVE, liveSubject(matchId), after < 1 ? { _tag: "First" } : { _tag: "After", sequence: after }).pipe(
      Stream.takeWhile(({ sequence }) => sequence <= position),
      Stream.runForEachArray((chunk) =>
        Effect.sync(() => {
          for (const record of chunk) {
            // A process published these after it had lost ownership of the match to another process.
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
