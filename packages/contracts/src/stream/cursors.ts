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

export { type FullCursor, formatCursor, parseCursor } from "./cursorText.ts"
