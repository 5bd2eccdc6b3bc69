// A buffer that grows by doubling, for bytes that arrive in pieces. A list of pieces would cost about a hundred bytes
// per piece, however small it is.

const FIRST_BYTES = 4 * 1024

const nothing = new Uint8Array(0)

export class GrowingBuffer {
  length = 0
  #bytes = nothing

  /** Bytes that the buffer occupies. */
  get capacity(): number {
    return this.#bytes.length
  }

  /** Capacity for this many more bytes. `expected` is the length at which the buffer will probably be complete. */
  capacityFor(added: number, expected = Number.POSITIVE_INFINITY): number {
    const needed = this.length + added
    if (needed <= this.capacity) return this.capacity
    return Math.max(needed, Math.min(Math.max(2 * this.capacity, FIRST_BYTES), expected))
  }

  /** `capacity` is what `capacityFor` has returned for the bytes. */
  append(bytes: Uint8Array, capacity: number): void {
    if (capacity > this.capacity) {
      const grown = new Uint8Array(capacity)
      grown.set(this.#bytes.subarray(0, this.length))
      this.#bytes = grown
    }
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.length)
    this.clear()
    return taken
  }

  clear(): void {
    this.#bytes = nothing
    this.length = 0
  }
}
