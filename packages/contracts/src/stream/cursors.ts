/**
 * Cursors: the position of a client in a match or room, used to resume after it. For a match, `(epoch, seq)` is enough
 * and stays valid forever. For the room `all`, a cursor is the last frame received with its position in the log of all
 * matches.
 */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"

export const Cursor = Schema.Struct({
  /** Required for the room `all`. */
  matchId: Schema.optionalKey(MatchId),
  epoch: Schema.Natural,
  seq: Schema.Natural,
  /** Required for the room `all`. For other rooms, it makes the search in the log faster. */
  position: Schema.optionalKey(Schema.Natural),
})
export type Cursor = typeof Cursor.Type

export interface FullCursor {
  readonly matchId: MatchId
  readonly epoch: number
  readonly seq: number
  readonly position: number
}

/** Formats a cursor for the SSE `id:`, `Last-Event-ID` and the query parameter `lastEventId`. */
export const formatCursor = (cursor: {
  readonly matchId: string
  readonly epoch: number
  readonly seq: number
  readonly position: number
}): string => `${cursor.matchId}:${cursor.epoch}:${cursor.seq}:${cursor.position}`

const isMatchId = Schema.is(MatchId)
const number = /^[0-9]{1,16}$/

/** Parses a cursor. Returns undefined if `text` is not a cursor. */
export const parseCursor = (text: string): FullCursor | undefined => {
  const [matchId, epoch, seq, position, ...rest] = text.split(":")
  if (!isMatchId(matchId) || rest.length > 0) return undefined
  if (epoch === undefined || seq === undefined || position === undefined) return undefined
  if (!number.test(epoch) || !number.test(seq) || !number.test(position)) return undefined
  return { matchId, epoch: Number(epoch), seq: Number(seq), position: Number(position) }
}
