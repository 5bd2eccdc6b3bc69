/**
 * What a follower of one match gets next from the frames an edge keeps. Pure: it owns that every frame is given once, in order, and that
 * a hole is said and never jumped. The ring is the follower's buffer, so a slow one costs nothing and is bounded by it.
 */
import type { MatchCursor } from "@matchpoint/contracts/rpc/errors"
import type { Frame } from "@matchpoint/realtime/Frame"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"

export type Next =
  | { readonly _tag: "Frames"; readonly frames: ReadonlyArray<Frame> }
  /** All is given; more may come. */
  | { readonly _tag: "Wait" }
  /** All is given, and the match is over. */
  | { readonly _tag: "Over" }
  /** The frames after the cursor are not kept; from `resume` on there are all. */
  | { readonly _tag: "Gone"; readonly resume: MatchCursor }

/** Given at once: enough to share the price of a message, little enough for the buffer of a socket. The first frame always fits. */
export const MAX_FRAMES = 16
export const MAX_BYTES = 128 * 1024

/** `bytesOf`: of the message that a frame becomes. */
export const nextFrames = (room: MatchRoom, cursor: MatchCursor, bytesOf: (frame: Frame) => number): Next => {
  const { ring } = room
  const from = ring.indexAfterCursor(cursor)
  const first = ring.at(from)
  if (first === undefined) return isOver(room) ? { _tag: "Over" } : { _tag: "Wait" }
  if (!follows(first, cursor) && !beginsAfter(first, ring.at(from - 1), cursor)) {
    return { _tag: "Gone", resume: { epoch: first.epoch, seq: first.seq - 1 } }
  }
  const frames = [first]
  let bytes = bytesOf(first)
  for (let last = first, index = from + 1; frames.length < MAX_FRAMES; index++) {
    const frame = ring.at(index)
    if (frame === undefined) break
    const more = bytesOf(frame)
    if (bytes + more > MAX_BYTES) break
    // The log had dropped some before this edge read them: the next turn says so.
    if (frame.epoch === last.epoch && !follows(frame, last)) break
    frames.push(frame)
    bytes += more
    last = frame
  }
  return { _tag: "Frames", frames }
}

const follows = (frame: Frame, cursor: MatchCursor): boolean => frame.epoch === cursor.epoch && frame.seq === cursor.seq + 1

/** A new epoch follows the frame that came before it, whatever its seq. */
const beginsAfter = (first: Frame, before: Frame | undefined, cursor: MatchCursor): boolean =>
  first.epoch > cursor.epoch && before !== undefined && before.epoch === cursor.epoch && before.seq === cursor.seq

const isOver = ({ views }: MatchRoom): boolean => views !== undefined && (views.status === "completed" || views.status === "cancelled")
