/**
 * Views of frames that are no longer the newest, for clients that catch up in shape v1 and for reads of the past. A frame is rebuilt
 * from the nearest keyframe before it: at most 31 steps, one for a reader that has just asked for the frame before. Bounded: the views used
 * least recently go first, so that a crowd that comes back shares one rebuild of each frame.
 */
import type { Frame } from "./Frame.ts"
import { Views } from "./Views.ts"

/** Views kept, about 12 KB each. */
const DEFAULT_MAX_VIEWS = 2_048

export class OlderViews {
  readonly #views = new Map<number, Views>()
  readonly #maxViews: number
  /** Frames rebuilt so far. */
  built = 0

  constructor(maxViews = DEFAULT_MAX_VIEWS) {
    this.#maxViews = maxViews
  }

  get size(): number {
    return this.#views.size
  }

  /** Views of a linked frame: see `link`. */
  of(frame: Frame): Views {
    const known = this.#known(frame)
    if (known !== undefined) return known
    const steps: Array<Frame> = []
    let base: Views | undefined
    for (let at: Frame | undefined = frame; at !== undefined && base === undefined; at = at.before) {
      steps.push(at)
      if (at.before !== undefined) base = this.#known(at.before)
    }
    for (const step of steps.toReversed()) {
      const next: Views | undefined = Views.of(step, base)
      if (next === undefined) throw new Error(`${step.matchId}:${step.epoch}:${step.seq} goes on from a frame that it is not linked to`)
      base = next
      this.built += 1
    }
    if (base === undefined) throw new Error("a frame has itself among its steps")
    this.#keep(base)
    return base
  }

  #known(frame: Frame): Views | undefined {
    const known = this.#views.get(frame.position)
    if (known === undefined || known.frame.matchId !== frame.matchId) return undefined
    this.#views.delete(frame.position)
    this.#views.set(frame.position, known)
    return known
  }

  #keep(views: Views): void {
    this.#views.set(views.frame.position, views)
    if (this.#views.size <= this.#maxViews) return
    for (const oldest of this.#views.keys()) {
      this.#views.delete(oldest)
      break
    }
  }
}
