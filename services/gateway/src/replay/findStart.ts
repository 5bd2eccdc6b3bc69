/**
 * Where a replay begins: after a client's cursor, at a map and round, or with the oldest stored frame. Reads the log up to there; sends
 * nothing.
 */
import type { LogError, LogRecord } from "@matchpoint/bus/EventLog"
import { cursorOfMessageId } from "@matchpoint/contracts/bus/subjects"
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import type { MissingRange, ReplayOptions, Resumed } from "@matchpoint/contracts/stream/messages"
import type { MatchId } from "@matchpoint/domain/ids"
import { documentOf, frameOfRecord, isAfter } from "@matchpoint/realtime/Frame"
import { Effect } from "effect"
import type { StoredFrames } from "./StoredFrames.ts"

interface Place {
  readonly epoch: number
  readonly seq: number
}

export interface ReplayStart {
  /** The records to send first; the stored frames go on after them. Empty: there is nothing left to send. */
  readonly records: ReadonlyArray<LogRecord>
  /** What the client has already; undefined: nothing that the first frame could follow. */
  readonly after: Place | undefined
  /** Begin with a snapshot even where the first frame could stand for itself. */
  readonly withSnapshot: boolean
  /** The answer to a cursor. */
  readonly answer: Pick<Resumed, "verdict" | "missing"> | undefined
}

/** Undefined: the plan sees nothing of this match. */
export const findStart = Effect.fnUntraced(function* (
  frames: StoredFrames,
  matchId: MatchId,
  options: Pick<ReplayOptions, "fromMap" | "fromRound">,
  cursor: Cursor | undefined,
): Effect.fn.Return<ReplayStart | undefined, LogError> {
  if (!(yield* frames.exists)) return undefined
  if (cursor !== undefined) return yield* startAfter(frames, matchId, cursor)
  if (options.fromMap !== undefined || options.fromRound !== undefined) {
    const records = yield* recordsFromRound(frames, options.fromMap ?? 1, options.fromRound ?? 0)
    return { records, after: undefined, withSnapshot: true, answer: undefined }
  }
  return { records: yield* frames.next, after: undefined, withSnapshot: false, answer: undefined }
})

const recovered = { verdict: "recovered", missing: [] } as const

const startAfter = Effect.fnUntraced(function* (
  frames: StoredFrames,
  matchId: MatchId,
  cursor: Cursor,
): Effect.fn.Return<ReplayStart, LogError> {
  if (cursor.position !== undefined) {
    frames.skipTo(cursor.position)
    const records = yield* frames.next
    const [own] = records
    // A client's position is trusted only where its own frame stands there.
    if (own?.sequence === cursor.position && isAt(own, cursor)) {
      return { records: records.slice(1), after: cursor, withSnapshot: false, answer: recovered }
    }
    frames.rewind()
  }
  let historyIsKnown = false
  for (let records = yield* frames.next; records.length > 0; records = yield* frames.next) {
    for (const [index, record] of records.entries()) {
      const place = cursorOfMessageId(record.id)
      if (place === undefined) continue
      if (isAfter(place, cursor)) {
        const found = verdictOn(place, matchId, cursor, historyIsKnown)
        if (found === undefined) return yield* startOver(frames)
        return {
          records: records.slice(index),
          after: found.verdict === "recovered" ? cursor : undefined,
          withSnapshot: found.verdict !== "recovered",
          answer: found,
        }
      }
      historyIsKnown ||= place.epoch === cursor.epoch
    }
  }
  return historyIsKnown ? { records: [], after: cursor, withSnapshot: false, answer: recovered } : yield* startOver(frames)
})

const startOver = Effect.fnUntraced(function* (frames: StoredFrames): Effect.fn.Return<ReplayStart, LogError> {
  frames.rewind()
  return { records: yield* frames.next, after: undefined, withSnapshot: true, answer: { verdict: "reset", missing: [] } }
})

/** `next` is the first stored frame after the cursor. Undefined: nothing of the cursor's history is stored. */
const verdictOn = (
  next: Place,
  matchId: MatchId,
  cursor: Cursor,
  historyIsKnown: boolean,
): { readonly verdict: "recovered" | "partial"; readonly missing: ReadonlyArray<MissingRange> } | undefined => {
  if (next.epoch !== cursor.epoch) return historyIsKnown ? recovered : undefined
  if (next.seq === cursor.seq + 1) return recovered
  return { verdict: "partial", missing: [{ matchId, epoch: next.epoch, from: cursor.seq + 1, to: next.seq - 1 }] }
}

const isAt = (record: LogRecord, { epoch, seq }: Place): boolean => {
  const place = cursorOfMessageId(record.id)
  return place?.epoch === epoch && place.seq === seq
}

const recordsFromRound = Effect.fnUntraced(function* (
  frames: StoredFrames,
  map: number,
  round: number,
): Effect.fn.Return<ReadonlyArray<LogRecord>, LogError> {
  let isFirst = true
  for (let records = yield* frames.next; records.length > 0; records = yield* frames.next) {
    for (const [index, record] of records.entries()) {
      if ((isFirst || mayChangeRound(record)) && isAtOrPast(record, map, round)) return records.slice(index)
      isFirst = false
    }
  }
  return []
})

const ROUND_KEYS = ['"round":', '"currentGame":']
const LINE_BREAK = 10

/** A round cannot change without its key in the delta, which is short: most documents need not be parsed. */
const mayChangeRound = ({ data }: LogRecord): boolean => {
  const delta = Buffer.from(data.buffer, data.byteOffset, data.byteLength).subarray(data.lastIndexOf(LINE_BREAK) + 1)
  return ROUND_KEYS.some((key) => delta.includes(key))
}

const isAtOrPast = (record: LogRecord, map: number, round: number): boolean => {
  const frame = frameOfRecord(record)
  if (frame === undefined) return false
  const { currentGame, game } = documentOf(frame)
  return currentGame > map || (currentGame === map && (game?.round ?? 0) >= round)
}
