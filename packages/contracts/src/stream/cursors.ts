/**
 * Cursors. A cursor is the position of a client in one match, or in all matches (the room `all`), from which the client
 * can resume. For a single match, the cursor is `(epoch, seq)`, which stays valid forever. For the room `all`, the
 * cursor is that of the last frame (message) received, together with the position of that frame in the log of all
 * matches.
 */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"

export const Cursor = Schema.Struct({
  /** Match of the last frame (message) received. Required for the room `all`. */
  matchId: Schema.optionalKey(MatchId),
  epoch: Schema.Natural,
  seq: Schema.Natural,
  /**
   * Position of the last frame (message) received in the log of all matches. Required for the room `all`. For other
   * rooms it is optional, but makes it faster to find the frame in the log.
   */
  position: Schema.optionalKey(Schema.Natural),
})
export type Cursor = typeof Cursor.Type

export { type FullCursor, formatCursor, parseCursor } from "./cursorText.ts"
