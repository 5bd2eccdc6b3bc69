/**
 * Where a client is in what it follows, so that it can go on from there. Of a match: `(epoch, seq)`, which outlives everything. Of
 * the room `all`: the last frame seen, with its position in the log of all matches.
 */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"

export const Cursor = Schema.Struct({
  /** Needed for the room `all`. */
  matchId: Schema.optionalKey(MatchId),
  epoch: Schema.Natural,
  seq: Schema.Natural,
  /** Needed for the room `all`; elsewhere it makes the search in the log short. */
  position: Schema.optionalKey(Schema.Natural),
})
export type Cursor = typeof Cursor.Type

export interface FullCursor {
  readonly matchId: MatchId
  readonly epoch: number
  readonly seq: number
  readonly position: number
}

/** A cursor in one word: the SSE `id:`, `Last-Event-ID`, the query parameter `lastEventId`. */
export const formatCursor = (cursor: {
  readonly matchId: string
  readonly epoch: number
  readonly seq: number
  readonly position: number
}): string => `${cursor.matchId}:${cursor.epoch}:${cursor.seq}:${cursor.position}`

const isMatchId = Schema.is(MatchId)
const number = /^[0-9]{1,16}$/

/** Undefined: not one of ours. */
export const parseCursor = (text: string): FullCursor | undefined => {
  const [matchId, epoch, seq, position, ...rest] = text.split(":")
  if (!isMatchId(matchId) || rest.length > 0) return undefined
  if (epoch === undefined || seq === undefined || position === undefined) return undefined
  if (!number.test(epoch) || !number.test(seq) || !number.test(position)) return undefined
  return { matchId, epoch: Number(epoch), seq: Number(seq), position: Number(position) }
}
