/** Whether and from which log position a client can resume from its cursor on this server. Pure. */
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import type { GameName, MatchId } from "@matchpoint/domain/ids"
import type { Edge } from "./Edge.ts"
import { isAfter } from "./Frame.ts"
import type { FrameRing } from "./FrameRing.ts"

export type FramePosition =
  /** Every frame after the log position is in memory. */
  | { readonly _tag: "Ring"; readonly position: number; readonly cursor?: Cursor & { readonly matchId: MatchId } }
  /** The client comes from a server that was ahead of this one. */
  | { readonly _tag: "Ahead"; readonly position: number; readonly cursor?: Cursor & { readonly matchId: MatchId } }
  /** Memory no longer has the frames after the log position, but the log may. */
  | { readonly _tag: "Older"; readonly position: number }
  /** The cursor belongs to a different history or cannot be found. */
  | { readonly _tag: "Lost" }

/** A cursor that is further ahead belongs to a different history. */
const FURTHEST_AHEAD = 2_000

/** Without `matchId`, the room contains all matches of `game`, or of every game. */
export const framePositionOf = (
  edge: Edge,
  { game, matchId }: { readonly matchId: MatchId | undefined; readonly game: GameName | undefined },
  cursor: Cursor,
): FramePosition =>
  matchId === undefined
    ? placeInAll(edge, game === undefined ? edge.rooms.all : edge.rooms.allOf(game), cursor)
    : placeInMatch(edge, matchId, cursor)

const placeInMatch = ({ rooms }: Edge, matchId: MatchId, cursor: Cursor): FramePosition => {
  if (cursor.matchId !== undefined && cursor.matchId !== matchId) return { _tag: "Lost" }
  const ring = rooms.get(matchId)?.ring
  const newest = ring?.newest
  if (ring === undefined || newest === undefined || newest.epoch !== cursor.epoch) return { _tag: "Lost" }
  if (newest.seq === cursor.seq) return { _tag: "Ring", position: newest.position }
  if (isAfter(cursor, newest)) {
    if (cursor.seq - newest.seq > FURTHEST_AHEAD) return { _tag: "Lost" }
    return { _tag: "Ahead", position: newest.position, cursor: { ...cursor, matchId } }
  }
  const next = ring.at(ring.indexAfterCursor(cursor))
  // A `kept` frame has only its full state and no delta that leads to it.
  if (next?.kind === "kept") return { _tag: "Lost" }
  if (next !== undefined && next.epoch === cursor.epoch && next.seq === cursor.seq + 1) return { _tag: "Ring", position: next.position - 1 }
  return { _tag: "Older", position: cursor.position ?? 0 }
}

const placeInAll = ({ rooms }: Edge, all: FrameRing, { matchId, epoch, seq, position }: Cursor): FramePosition => {
  if (matchId === undefined || position === undefined) return { _tag: "Lost" }
  // The log had already dropped the frames after the cursor when this server began to read it.
  if (position + 1 < rooms.readFrom) return { _tag: "Lost" }
  if (position > rooms.position) {
    if (position - rooms.position > FURTHEST_AHEAD) return { _tag: "Lost" }
    return { _tag: "Ahead", position, cursor: { matchId, epoch, seq } }
  }
  const frame = all.at(all.indexAfter(position - 1))
  if (frame?.position === position) {
    return frame.matchId === matchId && frame.epoch === epoch && frame.seq === seq ? { _tag: "Ring", position } : { _tag: "Lost" }
  }
  return position <= all.droppedTo ? { _tag: "Older", position } : { _tag: "Lost" }
}
