// The bytes of one request body between the native library, which pushes them, and a reader, which may come late or
// never. Without a reader, it holds about one socket read and then pauses the socket, so that an unread upload costs no
// memory.
import type { HttpResponse } from "uWebSockets.js"

/** Number of bytes kept for a later reader before the socket is paused. */
const highWaterMark = 64 * 1024

export interface Taken {
  /** The bytes received; undefined if none are available now. */
  readonly bytes: Uint8Array | undefined
  /** `aborted`: the client left, and the rest will never arrive. */
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

  /** Number of bytes still to come; infinite for a chunked body. */
  get outstandingBytes(): number {
    if (this.#complete) return 0
    return this.declaredLength === undefined ? Number.POSITIVE_INFINITY : this.declaredLength - this.receivedBytes
  }

  /** Takes all bytes available now. */
  take(): Taken {
    const bytes = this.#bufferedBytes === 0 ? undefined : concatenate(this.#chunks, this.#bufferedBytes)
    this.#chunks = []
    this.#bufferedBytes = 0
    this.#resume()
    return { bytes, state: this.#complete ? "ended" : this.#aborted ? "aborted" : "open" }
  }

  /**
   * Calls `callback` once when `take` has something new, or at once if it already has. Returns a function that cancels
   * the wait.
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
   * Discards all bytes, present and future. Needed before a response ends; otherwise a paused socket would stay paused.
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
      // The native buffer becomes invalid when this callback returns.
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
