/**
 * The next frames of an RPC stream, from the ring buffer of recent frames. Every frame is returned once and in order.
 * Missing frames are reported, never skipped silently. Streams have no buffers of their own, so a slow client costs no
 * memory.
 */
import type { MatchCursor } from "@matchpoint/contracts/rpc/errors"
import type { Frame } from "@matchpoint/realtime/Frame"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"

export type Next =
  | { readonly _tag: "Frames"; readonly frames: ReadonlyArray<Frame> }
  /** No further frames yet. */
  | { readonly _tag: "Wait" }
  /** All frames were returned, and the match has ended. */
  | { readonly _tag: "Over" }
  /** The frames directly after the cursor are no longer in the ring buffer. All frames after `resume` still are. */
  | { readonly _tag: "Gone"; readonly resume: MatchCursor }

/**
 * Limits of one call: large enough to spread the cost of a message over many frames, and small enough for the buffer of
 * a socket. The first frame is returned whatever its size.
 */
export const MAX_FRAMES = 16
export const MAX_BYTES = 128 * 1024

/** `bytesOf` is the size of a frame's message. */
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
    // Frames are missing before this one, because the log dropped them before this gateway read them. The next call
    // returns `Gone`.
    if (frame.epoch === last.epoch && !follows(frame, last)) break
    frames.push(frame)
    bytes += more
    last = frame
  }
  return { _tag: "Frames", frames }
}

const follows = (frame: Frame, cursor: MatchCursor): boolean => frame.epoch === cursor.epoch && frame.seq === cursor.seq + 1

/**
 * True if `first` begins a new epoch, and `before`, the frame before it in the log, is that of the cursor. The `seq` of
 * `first` is not compared.
 */
const beginsAfter = (first: Frame, before: Frame | undefined, cursor: MatchCursor): boolean =>
  first.epoch > cursor.epoch && before !== undefined && before.epoch === cursor.epoch && before.seq === cursor.seq

const hasEnded = ({ status }: MatchRoom): boolean => status === "completed" || status === "cancelled"
