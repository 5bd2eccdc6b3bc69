/**
 * Selects the next frames to send to an RPC stream of one match, from the ring buffer in which the gateway keeps the
 * recent frames. Every frame is returned once and in order. Missing frames are reported, never skipped silently.
 * Streams have no buffers of their own, so a slow client costs no memory. The functions have no side effects.
 */
import type { MatchCursor } from "@matchpoint/contracts/rpc/errors"
import type { Frame } from "@matchpoint/realtime/Frame"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"

export type Next =
  | { readonly _tag: "Frames"; readonly frames: ReadonlyArray<Frame> }
  /** Result: there are no further frames yet. */
  | { readonly _tag: "Wait" }
  /** Result: all frames were returned, and the match has ended. */
  | { readonly _tag: "Over" }
  /**
   * Result: the frames directly after the cursor are no longer in the ring buffer. All frames after `resume` still are.
   */
  | { readonly _tag: "Gone"; readonly resume: MatchCursor }

/**
 * Maximum number and total size of the frames returned by one call. The limits are large enough to spread the cost of a
 * message over many frames, and small enough for the buffer of a socket. The first frame is returned whatever its size.
 */
export const MAX_FRAMES = 16
export const MAX_BYTES = 128 * 1024

/** Returns the next frames after the cursor. `bytesOf` returns the size of the message for a frame. */
export const nextFrames = (room: MatchRoom, cursor: MatchCursor, bytesOf: (frame: Frame) => number): Next => {
  const { ring } = room
  const from = ring.indexAfterCursor(cursor)
  const first = ring.at(from)
  if (first === undefined) return hasEnded(room) ? { _tag: "Over" } : { _tag: "Wait" }
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
    // Here, frames are missing before this frame, because the log dropped them before this gateway read them. The next
    // call therefore returns `Gone`.
    if (frame.epoch === last.epoch && !follows(frame, last)) break
    frames.push(frame)
    bytes += more
    last = frame
  }
  return { _tag: "Frames", frames }
}

const follows = (frame: Frame, cursor: MatchCursor): boolean => frame.epoch === cursor.epoch && frame.seq === cursor.seq + 1

/**
 * Returns true if `first` begins a new epoch and the frame before it in the log, `before`, is the one to which the
 * cursor refers. The `seq` of `first` is not compared.
 */
const beginsAfter = (first: Frame, before: Frame | undefined, cursor: MatchCursor): boolean =>
  first.epoch > cursor.epoch && before !== undefined && before.epoch === cursor.epoch && before.seq === cursor.seq

const hasEnded = ({ status }: MatchRoom): boolean => status === "completed" || status === "cancelled"
