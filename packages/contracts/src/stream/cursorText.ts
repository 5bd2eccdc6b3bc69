/**
 * Cursors as text, for the SSE field `id:`, `Last-Event-ID` and the query parameter `lastEventId`. Does not depend on
 * Effect at run time.
 */
import { matchIdPattern } from "@matchpoint/domain/idPatterns"
import type { MatchId } from "@matchpoint/domain/ids"

export interface FullCursor {
  readonly matchId: MatchId
  readonly epoch: number
  readonly seq: number
  readonly position: number
}

export const formatCursor = (cursor: {
  readonly matchId: string
  readonly epoch: number
  readonly seq: number
  readonly position: number
}): string => `${cursor.matchId}:${cursor.epoch}:${cursor.seq}:${cursor.position}`

const number = /^[0-9]{1,16}$/

/** Undefined if `text` is not a cursor. */
export const parseCursor = (text: string): FullCursor | undefined => {
  const [matchId, epoch, seq, position, ...rest] = text.split(":")
  if (matchId === undefined || !matchIdPattern.test(matchId) || rest.length > 0) return undefined
  if (epoch === undefined || seq === undefined || position === undefined) return undefined
  if (!number.test(epoch) || !number.test(seq) || !number.test(position)) return undefined
  return { matchId: matchId as MatchId, epoch: Number(epoch), seq: Number(seq), position: Number(position) }
}
