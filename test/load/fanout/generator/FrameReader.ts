// Owns finding the units of a byte stream by their heads alone: WebSocket frames, or chunks of a chunked HTTP response.
// Payloads are skipped, not copied. A sink receives the chunk that completed a payload, and the payload's end in it.

/**
 * `length` is the payload's. The payload ends at `end` in the chunk. If `length > end`, it starts in an earlier chunk.
 */
export type FrameSink = (opcode: number, length: number, chunk: Buffer, end: number) => void

/**
 * A parsed head: its own length, the payload's length, and the length of what follows the payload without belonging to
 * it.
 */
interface Head {
  bytes: number
  length: number
  trailer: number
  opcode: number
}

/** Fills the head that starts at `at`. Returns false if it is not complete in the chunk. */
type ReadHead = (chunk: Buffer, at: number, available: number, head: Head) => boolean

export class FrameReader {
  readonly #readHead: ReadHead
  readonly #sink: FrameSink
  readonly #head: Head = { bytes: 0, length: 0, trailer: 0, opcode: 0 }
  /** Bytes until the current payload ends, -1 between units. */
  #missing = -1
  /** Bytes to skip before the next head. */
  #skip = 0
  #cutHead: Buffer | undefined

  constructor(readHead: ReadHead, sink: FrameSink) {
    this.#readHead = readHead
    this.#sink = sink
  }

  /** Reads the first `length` bytes of the chunk, which the caller may overwrite afterwards. */
  read(chunk: Buffer, length: number): void {
    if (this.#cutHead !== undefined) {
      const joined = Buffer.concat([this.#cutHead, chunk.subarray(0, length)])
      this.#cutHead = undefined
      this.read(joined, joined.length)
      return
    }
    const head = this.#head
    let at = 0
    for (;;) {
      if (this.#missing >= 0) {
        if (this.#missing > length - at) {
          this.#missing -= length - at
          return
        }
        at += this.#missing
        this.#missing = -1
        this.#skip = head.trailer
        this.#sink(head.opcode, head.length, chunk, at)
      }
      if (this.#skip > length - at) {
        this.#skip -= length - at
        return
      }
      at += this.#skip
      this.#skip = 0
      if (at === length) return
      if (!this.#readHead(chunk, at, length - at, head)) {
        this.#cutHead = Buffer.from(chunk.subarray(at, length))
        return
      }
      at += head.bytes
      this.#missing = head.length
    }
  }
}

/** Reads the head of a server's frame. Servers never mask, and the measured ones do not fragment messages. */
export const webSocketHead: ReadHead = (chunk, at, available, head) => {
  if (available < 2) return false
  const first = chunk[at] ?? 0
  const short = chunk[at + 1] ?? 0
  if ((first & 0x80) === 0 || short > 127) throw new Error("Received a fragmented or masked frame")
  const bytes = short < 126 ? 2 : short === 126 ? 4 : 10
  if (available < bytes) return false
  head.bytes = bytes
  head.length = short < 126 ? short : short === 126 ? chunk.readUInt16BE(at + 2) : Number(chunk.readBigUInt64BE(at + 2))
  head.trailer = 0
  head.opcode = first & 0x0f
  return true
}

const LINE_FEED = 0x0a

/** Reads a chunk's size in hexadecimal and a line end. Another line end follows the chunk. */
export const httpChunkHead: ReadHead = (chunk, at, available, head) => {
  const end = chunk.subarray(at, at + available).indexOf(LINE_FEED)
  if (end === -1) return false
  head.bytes = end + 1
  head.length = Number.parseInt(chunk.toString("latin1", at, at + end - 1), 16)
  head.trailer = 2
  head.opcode = 1
  if (Number.isNaN(head.length)) throw new Error("Received a chunk without a size")
  return true
}
