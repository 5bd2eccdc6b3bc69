/**
 * What a reader needs who begins in the middle of LIVE: a match's records since its nearest keyframe. The log reads forward only, so it is
 * looked for in ever longer stretches; a match has one among 32 records of its own.
 */
import { cursorOfMessageId, LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { kindOfRecord } from "@matchpoint/contracts/stream/record"
import type { MatchId } from "@matchpoint/domain/ids"
import { Effect, Stream } from "effect"
import type { EventLog, LogError, LogRecord } from "./EventLog.ts"

/** Positions looked back at first; eight times as many at each further look. */
const FIRST_LOOK = 1_024

/** Records of the match up to the position, oldest first, a keyframe first. Empty: the log has no keyframe at or before it. */
export const sinceKeyframe = Effect.fnUntraced(function* (
  log: EventLog["Service"],
  matchId: MatchId,
  position: number,
): Effect.fn.Return<ReadonlyArray<LogRecord>, LogError> {
  for (let look = FIRST_LOOK; ; look *= 8) {
    const after = position - look
    // At most the records since the newest keyframe are held.
    let records: Array<LogRecord> = []
    let newest: LogRecord | undefined
    yield* log.read(LIVE, liveSubject(matchId), after < 1 ? { _tag: "First" } : { _tag: "After", sequence: after }).pipe(
      Stream.takeWhile(({ sequence }) => sequence <= position),
      Stream.runForEachArray((chunk) =>
        Effect.sync(() => {
          for (const record of chunk) {
            // What an owner that had lost the match told again is passed over.
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
