// Owns the size of a message under permessage-deflate (RFC 7692), as uWebSockets.js compresses: raw deflate at zlib's
// default level, flushed after each message, without the last four bytes.
import { constants, createDeflateRaw, deflateRawSync } from "node:zlib"

const TAIL = 4

/** Returns the bytes of a message compressed in its own window, as with SHARED_COMPRESSOR. */
export const alone = (message: Uint8Array): number => deflateRawSync(message, { finishFlush: constants.Z_SYNC_FLUSH }).length - TAIL

/** Compresses with one window over all messages, as with DEDICATED_COMPRESSOR: up to 256 KB of memory per socket. */
export class Takeover {
  readonly #deflate = createDeflateRaw({ windowBits: 15, memLevel: 8 })
  #bytes = 0

  constructor() {
    this.#deflate.on("data", (chunk: Buffer) => {
      this.#bytes += chunk.length
    })
  }

  async bytesOf(message: Uint8Array): Promise<number> {
    const before = this.#bytes
    this.#deflate.write(message)
    await new Promise<void>((done) => this.#deflate.flush(constants.Z_SYNC_FLUSH, () => done()))
    return this.#bytes - before - TAIL
  }

  close(): void {
    this.#deflate.close()
  }
}
