// Owns what a message costs under permessage-deflate (RFC 7692), as uWebSockets.js does it: raw deflate at zlib's default level,
// flushed after each message, the last four bytes cut off.
import { constants, createDeflateRaw, deflateRawSync } from "node:zlib"

const TAIL = 4

/** Its own window for each message, as with SHARED_COMPRESSOR. Bytes. */
export const alone = (message: Uint8Array): number => deflateRawSync(message, { finishFlush: constants.Z_SYNC_FLUSH }).length - TAIL

/** The window goes on from message to message, as with DEDICATED_COMPRESSOR: up to 256 KB of memory per socket. */
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
