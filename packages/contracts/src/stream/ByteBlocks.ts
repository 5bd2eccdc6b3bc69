/**
 * Memory for many small byte strings that are freed in about the order of their storage. They share blocks, because a
 * buffer each would cost more CPU time and memory than their content. A block is freed when nothing refers to it.
 */
export class ByteBlocks {
  readonly #blockBytes: number
  #used = 0
  /** Holds the bytes that were reserved last. */
  block = new Uint8Array(0)

  /** Longer byte strings get a block of their size. */
  constructor(blockBytes: number) {
    this.#blockBytes = blockBytes
  }

  /** Reserves bytes in `block`, or in a new one if it is full, and returns the index of the first. */
  reserve(bytes: number): number {
    if (this.#used + bytes > this.block.length) {
      this.block = new Uint8Array(Math.max(bytes, this.#blockBytes))
      this.#used = 0
    }
    this.#used += bytes
    return this.#used - bytes
  }
}
