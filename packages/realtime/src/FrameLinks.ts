/**
 * Links each frame that is read from the log to the previous frame of the same match, so that its full state can be
 * computed, and marks missing frames. Frames whose state cannot be computed are skipped until the next keyframe (a
 * frame with the full state). For each match, holds the newest frame and the frames on which it is based: at most 32
 * records.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { type Frame, isAfter, link } from "./Frame.ts"

export class FrameLinks {
  readonly #newest = new Map<MatchId, Frame>()
  readonly #baseless = new Map<MatchId, { readonly epoch: number; readonly seq: number }>()

  /**
   * Links the frame to the previous one and returns it. Returns undefined if the frame is a duplicate, or if the frame
   * on which it is based is missing.
   */
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

  /** Returns true if at least one frame of the match has been linked. */
  has(matchId: MatchId): boolean {
    return this.#newest.has(matchId)
  }
}
