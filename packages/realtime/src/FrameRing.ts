/**
 * The newest frames of a room, oldest first, limited in number, total bytes and age. Frames must be pushed in ascending
 * order of log position. Reads no clock.
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
   * Index of the oldest frame. The empty slots before it are removed several at a time, which keeps an eviction cheap.
   */
  #start = 0
  #bytes = 0
  /** Log position of the newest evicted frame; 0 if there is none. All later frames are in the buffer. */
  droppedTo = 0
  /** May change between pushes. */
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

  /** Index 0 is the oldest frame. */
  at(index: number): Frame | undefined {
    return this.#frames[this.#start + index]
  }

  push(frame: Frame): void {
    this.#frames.push(frame)
    this.#bytes += sizeOf(frame)
    this.prune(frame.at)
  }

  /** Evicts frames, oldest first, while the ring exceeds a limit. Never evicts the newest frame. */
  prune(now: number): void {
    const { frames, bytes, ageMs } = this.bounds
    while (this.size > 1) {
      const oldest = this.#frames[this.#start]
      if (oldest === undefined || (this.size <= frames && this.#bytes <= bytes && now - oldest.at <= ageMs)) break
      this.#bytes -= sizeOf(oldest)
      this.droppedTo = oldest.position
      // Cleared at once: until the slots are removed, evicted frames could take as many bytes as those in the buffer.
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

  /** Index of the first frame after the cursor; `size` if there is none. Only for buffers of a single match. */
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
