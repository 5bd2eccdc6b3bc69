/**
 * Links each frame read from the log to the previous one of its match, so that its full state can be computed, and
 * marks missing frames. Skips frames whose state cannot be computed, until the next keyframe (a frame with the full
 * state). Holds at most 32 records per match.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { type Frame, isAfter, link } from "./Frame.ts"

export class FrameLinks {
  readonly #newest = new Map<MatchId, Frame>()
  readonly #baseless = new Map<MatchId, { readonly epoch: number; readonly seq: number }>()

  /** Returns undefined if the frame is a duplicate, or if the frame on which it is based is missing. */
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

  has(matchId: MatchId): boolean {
    return this.#newest.has(matchId)
  }
}
