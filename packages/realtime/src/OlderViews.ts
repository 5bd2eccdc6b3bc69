/**
 * Views of frames that are not the newest, for clients that catch up in shape v1 and for reads of the past. A frame is
 * rebuilt from the nearest keyframe before it in at most 31 steps, or in one step if the previous frame was just read.
 * The number of views is bounded, and the least recently used are dropped first. Many clients that reconnect at once
 * therefore share one rebuild of each frame.
 */
import { LRUCache } from "lru-cache"
import type { Frame } from "./Frame.ts"
import { FrameViews } from "./FrameViews.ts"

/** Maximum number of views, about 12 KB each. */
const DEFAULT_MAX_VIEWS = 2_048

export class OlderViews {
  /** Views by log position. */
  readonly #views: LRUCache<number, FrameViews>
  /** Number of frames rebuilt so far. */
  built = 0

  constructor(maxViews = DEFAULT_MAX_VIEWS) {
    this.#views = new LRUCache({ max: maxViews })
  }

  get size(): number {
    return this.#views.size
  }

  /** Returns the views of a linked frame (see `link`). */
  of(frame: Frame): FrameViews {
    const known = this.#known(frame)
    if (known !== undefined) return known
    const steps: Array<Frame> = []
    let base: FrameViews | undefined
    for (let at: Frame | undefined = frame; at !== undefined && base === undefined; at = at.before) {
      steps.push(at)
      if (at.before !== undefined) base = this.#known(at.before)
    }
    for (const step of steps.toReversed()) {
      const next: FrameViews | undefined = FrameViews.of(step, base)
      if (next === undefined) throw new Error(`${step.matchId}:${step.epoch}:${step.seq} is based on a frame to which it is not linked`)
      base = next
      this.built += 1
    }
    if (base === undefined) throw new Error("no views were built for the frame")
    this.#views.set(base.frame.position, base)
    return base
  }

  #known(frame: Frame): FrameViews | undefined {
    const known = this.#views.get(frame.position)
    return known?.frame.matchId === frame.matchId ? known : undefined
  }
}
