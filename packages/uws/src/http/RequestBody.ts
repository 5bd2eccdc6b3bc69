// Buffers the bytes of one request body between the native library, which pushes them, and a reader, which may start
// late or never. Without a reader, about one socket read is buffered and the socket is then paused, so that an unread
// upload does not fill the memory.
import type { HttpResponse } from "uWebSockets.js"

/** Number of unread bytes at which the socket is paused. */
const highWaterMark = 64 * 1024

export interface Taken {
  /** Bytes that were received since the previous `take`. Undefined if there are none. */
  readonly bytes: Uint8Array | undefined
  /** State of the body. `aborted` means that the client disconnected, so the rest will never arrive. */
  readonly state: "open" | "ended" | "aborted"
}

export class RequestBody {
  /** Value of `Content-Length`; undefined for a chunked body. */
  readonly declaredLength: number | undefined
  receivedBytes = 0
  /** Called once when the whole body has arrived. */
  onComplete: (() => void) | undefined
  #complete = false
  #aborted = false
  readonly #response: HttpResponse
  #chunks: Array<Uint8Array> = []
  #bufferedBytes = 0
  #paused = false
  #discarding = false
  #waiter: (() => void) | undefined

  constructor(response: HttpResponse, declaredLength: number | undefined) {
    this.#response = response
    this.declaredLength = declaredLength
    response.onData((chunk, isLast) => this.#received(chunk, isLast))
  }

  /** Number of bytes that have not arrived yet. Infinite for a chunked body that is not complete. */
  get outstandingBytes(): number {
    if (this.#complete) return 0
    return this.declaredLength === undefined ? Number.POSITIVE_INFINITY : this.declaredLength - this.receivedBytes
  }

  /** Removes and returns all bytes that are available now. */
  take(): Taken {
    const bytes = this.#bufferedBytes === 0 ? undefined : concatenate(this.#chunks, this.#bufferedBytes)
    this.#chunks = []
    this.#bufferedBytes = 0
    this.#resume()
    return { bytes, state: this.#complete ? "ended" : this.#aborted ? "aborted" : "open" }
  }

  /**
   * Calls `callback` once when `take` has new bytes to return or the state of the body has changed, or immediately if
   * this is already the case. Returns a function that cancels the wait.
   */
  wait(callback: () => void): () => void {
    if (this.#bufferedBytes > 0 || this.#complete || this.#aborted) {
      callback()
      return () => {}
    }
    this.#waiter = callback
    this.#resume()
    return () => {
      if (this.#waiter === callback) this.#waiter = undefined
    }
  }

  /**
   * Discards all bytes that have arrived or will arrive. Must be called before a response ends, because a paused socket
   * would otherwise stay paused.
   */
  discard(): void {
    this.#discarding = true
    this.#chunks = []
    this.#bufferedBytes = 0
    this.#resume()
  }

  /** Records that the client has left. */
  abort(): void {
    this.#aborted = true
    this.#wake()
  }

  #received(chunk: ArrayBuffer, isLast: boolean): void {
    this.receivedBytes += chunk.byteLength
    if (isLast) {
      this.#complete = true
      this.onComplete?.()
    }
    if (!this.#discarding && chunk.byteLength > 0) {
      // Copies the chunk, because the native buffer becomes invalid when this callback returns.
      this.#chunks.push(new Uint8Array(chunk.slice(0)))
      this.#bufferedBytes += chunk.byteLength
    }
    if (this.#waiter !== undefined) this.#wake()
    else if (!this.#complete && this.#bufferedBytes >= highWaterMark && !this.#paused) {
      this.#paused = true
      this.#response.pause()
    }
  }

  #resume(): void {
    if (!this.#paused || this.#aborted) return
    this.#paused = false
    this.#response.resume()
  }

  #wake(): void {
    const waiter = this.#waiter
    this.#waiter = undefined
    waiter?.()
  }
}

const concatenate = (chunks: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0]
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
