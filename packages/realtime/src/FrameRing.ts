/**
 * The newest frames of one match, oldest first, bounded by count, bytes and age. Plain data structure: no clock, no sockets.
 */
export interface Frame {
  readonly epoch: number
  readonly seq: number
  /** When the log took it, epoch ms. */
  readonly at: number
  /** An encoded update, shared with every reader: never written to. */
  readonly bytes: Uint8Array
}

export interface RingBounds {
  readonly frames: number
  readonly bytes: number
  readonly ageMs: number
}

export class FrameRing {
  readonly #bounds: RingBounds
  readonly #frames: Array<Frame> = []
  /** Index of the oldest kept frame; what lies before it is cut off now and then, so that dropping one costs nothing. */
  #start = 0
  #bytes = 0

  constructor(bounds: RingBounds) {
    this.#bounds = bounds
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

  push(frame: Frame): void {
    this.#frames.push(frame)
    this.#bytes += frame.bytes.length
    this.prune(frame.at)
  }

  /** Drops what is over a bound at `now`; the newest frame always stays. */
  prune(now: number): void {
    const { frames, bytes, ageMs } = this.#bounds
    while (this.size > 1) {
      const oldest = this.#frames[this.#start]
      if (oldest === undefined || (this.size <= frames && this.#bytes <= bytes && now - oldest.at <= ageMs)) break
      this.#bytes -= oldest.bytes.length
      this.#start += 1
    }
    if (this.#start > 64 && this.#start * 2 > this.#frames.length) {
      this.#frames.splice(0, this.#start)
      this.#start = 0
    }
  }

  clear(): void {
    this.#frames.length = 0
    this.#start = 0
    this.#bytes = 0
  }

  /** Kept frames, oldest first. */
  toArray(): ReadonlyArray<Frame> {
    return this.#frames.slice(this.#start)
  }
}
