/**
 * Cache of the views of frames other than the newest, for clients that catch up in message format v1 and for reads of
 * past states. A frame is rebuilt from the preceding keyframe in at most 31 steps, or in one if the previous frame is
 * cached. If many clients reconnect at once, each frame is rebuilt once for all of them.
 */
import { LRUCache } from "lru-cache"
import type { Frame } from "./Frame.ts"
import { type FrameViews, viewsAfter } from "./FrameViews.ts"

/** About 12 KB each. The least recently used are evicted first. */
const DEFAULT_MAX_VIEWS = 2_048

export class OlderViews {
  /** By log position. */
  readonly #views: LRUCache<number, FrameViews>
  /** Frames rebuilt so far. */
  built = 0

  constructor(maxViews = DEFAULT_MAX_VIEWS) {
    this.#views = new LRUCache({ max: maxViews })
  }

  get size(): number {
    return this.#views.size
  }

  /** The frame must be linked to its base (see `link`). */
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
