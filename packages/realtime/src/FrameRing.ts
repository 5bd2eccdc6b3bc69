/**
 * Buffer (ring) with the newest frames of a room (set of matches), oldest first. The number, total bytes and age of the
 * frames are limited. Frames must be pushed in ascending order of log position. Reads no clock; callers pass the time.
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
   * Index of the oldest frame in the array. The slots before it are empty. They are removed several at a time, so that
   * evicting a single frame is cheap.
   */
  #start = 0
  #bytes = 0
  /** Log position of the newest frame that was evicted; 0 if none was evicted. All later frames are in the buffer. */
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

  /** Returns the frame at an index, or undefined. Index 0 is the oldest frame. */
  at(index: number): Frame | undefined {
    return this.#frames[this.#start + index]
  }

  push(frame: Frame): void {
    this.#frames.push(frame)
    this.#bytes += sizeOf(frame)
    this.prune(frame.at)
  }

  /**
   * Evicts frames, oldest first, while the ring exceeds one of its limits at time `now`. The newest frame is never
   * evicted.
   */
  prune(now: number): void {
    const { frames, bytes, ageMs } = this.bounds
    while (this.size > 1) {
      const oldest = this.#frames[this.#start]
      if (oldest === undefined || (this.size <= frames && this.#bytes <= bytes && now - oldest.at <= ageMs)) break
      this.#bytes -= sizeOf(oldest)
      this.droppedTo = oldest.position
      // The slot of an evicted frame is cleared at once. Otherwise evicted frames would stay in memory until their
      // slots are removed, and could take as many bytes as the frames in the buffer.
      this.#frames[this.#start] = undefined
      this.#start += 1
    }
    if (this.#start > 64 && this.#start * 2 > this.#frames.length) {
      this.#frames.splice(0, this.#start)
      this.#start = 0
    }
  }

  /** Returns the index of the first frame after the position, or `size` if there is none. */
  indexAfter(position: number): number {
    return this.#lowerBound((frame) => frame.position > position)
  }

  /**
   * Returns the index of the first frame after the cursor, or `size` if there is none. Only valid for buffers with
   * frames of a single match.
   */
  indexAfterCursor(cursor: { readonly epoch: number; readonly seq: number }): number {
    return this.#lowerBound((frame) => frame.epoch > cursor.epoch || (frame.epoch === cursor.epoch && frame.seq > cursor.seq))
  }

  /** Empties the ring, as if all frames up to the position had been evicted. */
  restart(position: number): void {
    this.#frames.length = 0
    this.#start = 0
    this.#bytes = 0
    this.droppedTo = position
  }

  /** Returns all frames, oldest first. */
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
