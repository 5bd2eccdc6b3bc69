/**
 * Links the frames of a log reader, match by match, so that their documents can be built, and marks missing frames. A
 * frame whose document cannot be built is left out until the next keyframe. Holds the newest frame of each match and
 * the frames it is based on: at most 32 records.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { type Frame, isAfter, link } from "./Frame.ts"

export class FrameLinks {
  readonly #newest = new Map<MatchId, Frame>()
  readonly #baseless = new Map<MatchId, { readonly epoch: number; readonly seq: number }>()

  /** Links the frame and returns it. Returns undefined if the frame is a repeat or has no base here. */
  take(frame: Frame): Frame | undefined {
    const before = this.#newest.get(frame.matchId)
    if (before !== undefined && !isAfter(frame, before)) return undefined
    const skipped = this.#baseless.get(frame.matchId)
    if (skipped !== undefined && isAfter(skipped, frame)) return undefined
    if (!link(frame, before)) {
      this.#baseless.set(frame.matchId, { epoch: frame.epoch, seq: frame.seq })
      return undefined
    }
    this.#baseless.delete(frame.matchId)
    if (before !== undefined && before.epoch === frame.epoch && frame.seq > before.seq + 1) {
      frame.missing = { from: before.seq + 1, to: frame.seq - 1 }
    }
    this.#newest.set(frame.matchId, frame)
    return frame
  }

  /** Returns true if a frame of the match was taken. */
  has(matchId: MatchId): boolean {
    return this.#newest.has(matchId)
  }
}
