/**
 * Cursors. A cursor is the position of a client in a match or room, from which the client can resume. For a single
 * match, `(epoch, seq)` suffices as a cursor and stays valid forever. For the room `all`, the cursor is that of the
 * last frame received, together with the position of that frame in the log of all matches.
 */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"

export const Cursor = Schema.Struct({
  /** Match of the last frame received. Required for the room `all`. */
  matchId: Schema.optionalKey(MatchId),
  epoch: Schema.Natural,
  seq: Schema.Natural,
  /**
   * Position of the last frame received in the log of all matches. Required for the room `all`. For other rooms it is
   * optional, but it speeds up the search in the log.
   */
  position: Schema.optionalKey(Schema.Natural),
})
export type Cursor = typeof Cursor.Type

export { type FullCursor, formatCursor, parseCursor } from "./cursorText.ts"
