/**
 * Views of frames that are not the newest, for clients that catch up in shape v1 and for reads of the past. A frame is
 * rebuilt from the nearest keyframe before it in at most 31 steps, or in one step if the previous frame was just read.
 * The number of views is bounded, and the least recently used are dropped first. Many clients that reconnect at once
 * therefore share one rebuild of each frame.
 */
import type { Frame } from "./Frame.ts"
import { Views } from "./Views.ts"

/** Maximum number of views, about 12 KB each. */
const DEFAULT_MAX_VIEWS = 2_048

export class OlderViews {
  readonly #views = new Map<number, Views>()
  readonly #maxViews: number
  /** Number of frames rebuilt so far. */
  built = 0

  constructor(maxViews = DEFAULT_MAX_VIEWS) {
    this.#maxViews = maxViews
  }

  get size(): number {
    return this.#views.size
  }

  /** Returns the views of a linked frame (see `link`). */
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
      if (next === undefined) throw new Error(`${step.matchId}:${step.epoch}:${step.seq} is based on a frame to which it is not linked`)
      base = next
      this.built += 1
    }
    if (base === undefined) throw new Error("no views were built for the frame")
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
