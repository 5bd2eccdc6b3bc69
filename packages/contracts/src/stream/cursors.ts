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

export { type FullCursor, formatCursor, parseCursor } from "./cursorText.ts"
