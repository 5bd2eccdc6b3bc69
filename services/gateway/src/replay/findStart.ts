/**
 * Where a replay starts: after the client's cursor, at a map and round, or at the oldest stored frame. Reads the log up
 * to that point and sends nothing.
 */
import type { LogError } from "@matchpoint/bus/EventLog"
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import type { MissingRange, ReplayOptions, Resumed } from "@matchpoint/contracts/stream/messages"
import type { MatchId } from "@matchpoint/domain/ids"
import { type Frame, isAfter } from "@matchpoint/realtime/Frame"
import { Effect } from "effect"
import type { StoredFrames } from "./StoredFrames.ts"

interface LogPosition {
  readonly epoch: number
  readonly seq: number
}

export interface ReplayStart {
  /** Frames to send first, possibly none. All later ones are read from the log. */
  readonly first: ReadonlyArray<Frame>
  /** Last frame that the client already has, if the replay continues from it. */
  readonly after: LogPosition | undefined
  /** The replay must start with a snapshot, even if the first frame contains the whole document. */
  readonly withSnapshot: boolean
  /** Whether the replay can resume at the client's cursor, and which frames are missing. Undefined without a cursor. */
  readonly answer: Pick<Resumed, "verdict" | "missing"> | undefined
}

/** Undefined if the plan may not see any frame of the match. */
export const findStart = Effect.fnUntraced(function* (
  frames: StoredFrames,
  matchId: MatchId,
  options: Pick<ReplayOptions, "fromMap" | "fromRound">,
  cursor: Cursor | undefined,
): Effect.fn.Return<ReplayStart | undefined, LogError> {
  if (!(yield* frames.exists)) return undefined
  if (cursor !== undefined) return yield* startAfter(frames, matchId, cursor)
  if (options.fromMap !== undefined || options.fromRound !== undefined) {
    const first = yield* fromRound(frames, options.fromMap ?? 1, options.fromRound ?? 0)
    return { first, after: undefined, withSnapshot: true, answer: undefined }
  }
  return { first: yield* frames.next, after: undefined, withSnapshot: false, answer: undefined }
})

const recovered = { verdict: "recovered", missing: [] } as const

const startAfter = Effect.fnUntraced(function* (
  frames: StoredFrames,
  matchId: MatchId,
  cursor: Cursor,
): Effect.fn.Return<ReplayStart, LogError> {
  if (cursor.position !== undefined) {
    yield* frames.skipTo(cursor.position)
    const stored = yield* frames.next
    const [own] = stored
    // The log position in the client's cursor is used only if the log has the cursor's frame there.
    if (own?.position === cursor.position && own.epoch === cursor.epoch && own.seq === cursor.seq) {
      return { first: stored.slice(1), after: cursor, withSnapshot: false, answer: recovered }
    }
    frames.rewind()
  }
  let historyIsKnown = false
  for (let stored = yield* frames.next; stored.length > 0; stored = yield* frames.next) {
    for (const [index, place] of stored.entries()) {
      if (isAfter(place, cursor)) {
        const found = verdictOn(place, matchId, cursor, historyIsKnown)
        if (found === undefined) return yield* startOver(frames)
        return {
          first: stored.slice(index),
          after: found.verdict === "recovered" ? cursor : undefined,
          withSnapshot: found.verdict !== "recovered",
          answer: found,
        }
      }
      historyIsKnown ||= place.epoch === cursor.epoch
    }
  }
  return historyIsKnown ? { first: [], after: cursor, withSnapshot: false, answer: recovered } : yield* startOver(frames)
})

const startOver = Effect.fnUntraced(function* (frames: StoredFrames): Effect.fn.Return<ReplayStart, LogError> {
  frames.rewind()
  return { first: yield* frames.next, after: undefined, withSnapshot: true, answer: { verdict: "reset", missing: [] } }
})

/**
 * Whether the replay can resume at a cursor. `next` is the first stored frame after it. Undefined if no frame of the
 * cursor's epoch is stored.
 */
const verdictOn = (
  next: LogPosition,
  matchId: MatchId,
  cursor: Cursor,
  historyIsKnown: boolean,
): { readonly verdict: "recovered" | "partial"; readonly missing: ReadonlyArray<MissingRange> } | undefined => {
  if (next.epoch !== cursor.epoch) return historyIsKnown ? recovered : undefined
  if (next.seq === cursor.seq + 1) return recovered
  return { verdict: "partial", missing: [{ matchId, epoch: next.epoch, from: cursor.seq + 1, to: next.seq - 1 }] }
}

const fromRound = Effect.fnUntraced(function* (
  frames: StoredFrames,
  map: number,
  round: number,
): Effect.fn.Return<ReadonlyArray<Frame>, LogError> {
  for (let stored = yield* frames.next; stored.length > 0; stored = yield* frames.next) {
    const index = stored.findIndex((frame) => frame.game.isAtOrPast(frames.viewsOf(frame).compact, map, round))
    if (index >= 0) return stored.slice(index)
  }
  return []
})
