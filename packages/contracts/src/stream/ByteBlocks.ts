/**
 * Memory for many small byte strings that are freed in about the order in which they were stored. They share blocks,
 * because a buffer of its own for each of them would cost more CPU time and more memory than its content. A block is
 * freed when nothing refers to its byte strings any more.
 */
export class ByteBlocks {
  readonly #blockBytes: number
  #used = 0
  /** The block in which bytes were reserved last. */
  block = new Uint8Array(0)

  /** `blockBytes` is the size of a block. Longer byte strings get a block of their size. */
  constructor(blockBytes: number) {
    this.#blockBytes = blockBytes
  }

  /** Reserves bytes in `block`, which is replaced by a new block if it is full. Returns the index of the first byte. */
  reserve(bytes: number): number {
    if (this.#used + bytes > this.block.length) {
      this.block = new Uint8Array(Math.max(bytes, this.#blockBytes))
      this.#used = 0
    }
    this.#used += bytes
    return this.#used - bytes
  }
}
