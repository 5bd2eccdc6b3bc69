/**
 * The newest frames of a room, oldest first, bounded by number, bytes and age. Frames are pushed in ascending position.
 * A plain data structure without a clock.
 */
import { type Frame, sizeOf } from "./Frame.ts"

export interface RingBounds {
  readonly frames: number
  readonly bytes: number
  readonly ageMs: number
}

export class FrameRing {
  readonly #frames: Array<Frame | undefined> = []
  /**
   * Index of the oldest frame. The slots before it are empty. They are removed many at a time, so that dropping a frame
   * is cheap.
   */
  #start = 0
  #bytes = 0
  /** Position of the newest dropped frame; 0 if none was dropped. The ring has every later frame. */
  droppedTo = 0
  /** Limits of the ring, which may change between pushes. */
  bounds: RingBounds

  constructor(bounds: RingBounds) {
    this.bounds = bounds
  }

  get size(): number {
    return this.#frames.length - this.#start
  }

  get bytes(): number {
    return this.#bytes
  }

  get newest(): Frame | undefined {
    return this.#frames[this.#frames.length - 1]
  }

  get oldest(): Frame | undefined {
    return this.#frames[this.#start]
  }

  /** The n-th frame, counted from 0, the oldest. */
  at(index: number): Frame | undefined {
    return this.#frames[this.#start + index]
  }

  push(frame: Frame): void {
    this.#frames.push(frame)
    this.#bytes += sizeOf(frame)
    this.prune(frame.at)
  }

  /** Drops frames that exceed a bound at `now`. The newest frame always stays. */
  prune(now: number): void {
    const { frames, bytes, ageMs } = this.bounds
    while (this.size > 1) {
      const oldest = this.#frames[this.#start]
      if (oldest === undefined || (this.size <= frames && this.#bytes <= bytes && now - oldest.at <= ageMs)) break
      this.#bytes -= sizeOf(oldest)
      this.droppedTo = oldest.position
      // If the slot kept its frame until it is removed, empty slots could hold as many bytes as the ring itself.
      this.#frames[this.#start] = undefined
      this.#start += 1
    }
    if (this.#start > 64 && this.#start * 2 > this.#frames.length) {
      this.#frames.splice(0, this.#start)
      this.#start = 0
    }
  }

  /** Index of the first frame after the position; `size` if there is none. */
  indexAfter(position: number): number {
    return this.#lowerBound((frame) => frame.position > position)
  }

  /** Index of the first frame after the cursor; `size` if there is none. Only for rings of one match. */
  indexAfterCursor(cursor: { readonly epoch: number; readonly seq: number }): number {
    return this.#lowerBound((frame) => frame.epoch > cursor.epoch || (frame.epoch === cursor.epoch && frame.seq > cursor.seq))
  }

  clear(): void {
    this.#frames.length = 0
    this.#start = 0
    this.#bytes = 0
  }

  /** All frames, oldest first. */
  toArray(): ReadonlyArray<Frame> {
    return this.#frames.slice(this.#start).filter((frame) => frame !== undefined)
  }

  #lowerBound(isBeyond: (frame: Frame) => boolean): number {
    let low = 0
    let high = this.size
    while (low < high) {
      const middle = (low + high) >>> 1
      const frame = this.at(middle)
      if (frame !== undefined && isBeyond(frame)) high = middle
      else low = middle + 1
    }
    return low
  }
}
