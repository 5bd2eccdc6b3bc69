/**
 * Cache of the representations (state and messages) of frames other than the newest, for clients that catch up in
 * message format v1 and for reads of past states. A frame is rebuilt from the nearest preceding keyframe (a frame with
 * the full state) in at most 31 steps, or in a single step if the previous frame is cached. The number of entries is
 * limited, and the least recently used are evicted first. If many clients reconnect at once, each frame is rebuilt only
 * once for all of them.
 */
import { LRUCache } from "lru-cache"
import type { Frame } from "./Frame.ts"
import { type FrameViews, viewsAfter } from "./FrameViews.ts"

/** Maximum number of cached frames, about 12 KB each. */
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

  /**
   * Returns the representations (state and messages) of a frame from the cache, or rebuilds them. The frame must be
   * linked to the frame on which it is based (see `link`).
   */
  of(frame: Frame): FrameViews {
    const known = this.#known(frame)
    if (known !== undefined) return known
    const steps: Array<Frame> = []
    let base: FrameViews | undefined
    for (let at: Frame | undefined = frame; at !== undefined && base === undefined; at = at.before) {
      steps.push(at)
      if (at.before !== undefined) base = this.#known(at.before)
    }
    const views = viewsAfter(steps.toReversed(), base)
    this.built += steps.length
    this.#views.set(frame.position, views)
    return views
  }

  #known(frame: Frame): FrameViews | undefined {
    const known = this.#views.get(frame.position)
    if (known === undefined) return undefined
    const { epoch, matchId, seq } = known.frame
    // After the loss of the log, another record may have the position.
    return matchId === frame.matchId && epoch === frame.epoch && seq === frame.seq ? known : undefined
  }
}
