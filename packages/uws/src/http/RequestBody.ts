// Owns the bytes of one request body between the native library, which pushes, and a reader, which may come late or never.
// Without a reader it holds about one socket read and then stops the socket, so that an unread upload costs no memory.
import type { HttpResponse } from "uWebSockets.js"

/** Bytes kept for a reader that is not there yet before the socket is paused. */
const highWaterMark = 64 * 1024

export interface Taken {
  /** Undefined when there is nothing now. */
  readonly bytes: Uint8Array | undefined
  /** `aborted`: the rest will never come. */
  readonly state: "open" | "ended" | "aborted"
}

export class RequestBody {
  /** What `Content-Length` promised; undefined for a chunked body. */
  readonly declaredLength: number | undefined
  receivedBytes = 0
  /** Called once when all of the body has come. */
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

  /** How many bytes are still to come; infinite for a chunked body. */
  get outstandingBytes(): number {
    if (this.#complete) return 0
    return this.declaredLength === undefined ? Number.POSITIVE_INFINITY : this.declaredLength - this.receivedBytes
  }

  /** Takes all there is. */
  take(): Taken {
    const bytes = this.#bufferedBytes === 0 ? undefined : concatenate(this.#chunks, this.#bufferedBytes)
    this.#chunks = []
    this.#bufferedBytes = 0
    this.#resume()
    return { bytes, state: this.#complete ? "ended" : this.#aborted ? "aborted" : "open" }
  }

  /** Calls back once when `take` has news, at once if it has already. Returns how to give up waiting. */
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

  /** Throws away what is there and what will come. Needed before a response ends, or a paused socket would stay paused. */
  discard(): void {
    this.#discarding = true
    this.#chunks = []
    this.#bufferedBytes = 0
    this.#resume()
  }

  /** The client is gone. */
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
      // The native buffer dies when this callback returns.
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
