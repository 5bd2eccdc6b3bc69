// Owns finding the beginnings of WebSocket messages in a stream of bytes: their first bytes as text, the rest is stepped over.
import { webSocketHead } from "../fanout/generator/FrameReader.ts"

const HEAD_BYTES = 256

export class MessageHeads {
  readonly #sink: (opcode: number, head: string) => void
  readonly #header = { bytes: 0, length: 0, trailer: 0, opcode: 0 }
  #cut: Buffer | undefined
  #head = ""
  /** Bytes of the message in progress that are still to come; undefined between messages. */
  #missing: number | undefined

  constructor(sink: (opcode: number, head: string) => void) {
    this.#sink = sink
  }

  /** Takes the first `length` bytes of the chunk, which may be used again for other bytes afterwards. */
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
      const wanted = Math.min(here, HEAD_BYTES - this.#head.length)
      if (wanted > 0) this.#head += chunk.toString("latin1", at, at + wanted)
      at += here
      this.#missing -= here
      if (this.#missing > 0) return
      this.#missing = undefined
      this.#sink(this.#header.opcode, this.#head)
    }
  }
}
