// Owns finding the start of WebSocket messages in a stream of bytes: their first bytes as text, while the rest is
// skipped.
import { webSocketHead } from "../fanout/generator/FrameReader.ts"

const HEAD_BYTES = 256

export class MessageHeads {
  readonly #sink: (opcode: number, head: string) => void
  readonly #headBytes: number
  readonly #header = { bytes: 0, length: 0, trailer: 0, opcode: 0 }
  #cut: Buffer | undefined
  #head = ""
  /** Remaining bytes of the current message. Undefined between messages. */
  #missing: number | undefined

  /** `headBytes`: longest part of a message that is passed on. */
  constructor(sink: (opcode: number, head: string) => void, headBytes = HEAD_BYTES) {
    this.#sink = sink
    this.#headBytes = headBytes
  }

  /** Reads the first `length` bytes of the chunk, which the caller may overwrite afterwards. */
  read(chunk: Buffer, length: number): void {
    if (this.#cut !== undefined) {
      const joined = Buffer.concat([this.#cut, chunk.subarray(0, length)])
      this.#cut = undefined
      this.read(joined, joined.length)
      return
    }
    let at = 0
    for (;;) {
      if (this.#missing === undefined) {
        if (at === length) return
        if (!webSocketHead(chunk, at, length - at, this.#header)) {
          this.#cut = Buffer.from(chunk.subarray(at, length))
          return
        }
        at += this.#header.bytes
        this.#missing = this.#header.length
        this.#head = ""
      }
      const here = Math.min(this.#missing, length - at)
      const wanted = Math.min(here, this.#headBytes - this.#head.length)
      if (wanted > 0) this.#head += chunk.toString("latin1", at, at + wanted)
      at += here
      this.#missing -= here
      if (this.#missing > 0) return
      this.#missing = undefined
      this.#sink(this.#header.opcode, this.#head)
    }
  }
}
