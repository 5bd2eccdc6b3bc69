/**
 * A cursor is the position from which a client can resume. For a match it is `(epoch, seq)`, which stays valid forever.
 * For the room `all`, it is that of the last frame received, with the position of that frame in the log of all matches.
 */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"

export const Cursor = Schema.Struct({
  /** Match of the last frame received. Required for the room `all`. */
  matchId: Schema.optionalKey(MatchId),
  epoch: Schema.Natural,
  seq: Schema.Natural,
  /**
   * Position of the last frame received in the log of all matches. Required for the room `all`. Elsewhere it makes it
   * faster to find the frame.
   */
  position: Schema.optionalKey(Schema.Natural),
})
export type Cursor = typeof Cursor.Type

export { type FullCursor, formatCursor, parseCursor } from "./cursorText.ts"
