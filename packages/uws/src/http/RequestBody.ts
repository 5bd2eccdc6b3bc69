// Buffers one request body between the native library, which pushes bytes, and a reader, which may start late or never.
// Without a reader, about one socket read is buffered and the socket is then paused. The buffered bytes count towards
// the bounds of `BodyBounds`.
import type { HttpResponse } from "uWebSockets.js"
import type { BodyAccount, BodyBound } from "./BodyBounds.ts"
import { GrowingBuffer } from "./GrowingBuffer.ts"

/** Unread bytes at which the socket is paused. */
const highWaterMark = 64 * 1024

/**
 * A body may have `MAX_PIECES` pieces, and one more per `BYTES_PER_PIECE` bytes. A piece costs about 1 us, and chunked
 * encoding allows pieces of one byte.
 */
const MAX_PIECES = 2_000
const BYTES_PER_PIECE = 64

/**
 * Pieces beyond the bound at which the connection is closed without a response. The native library cannot be stopped in
 * the middle of what it has read, which may be 80,000 pieces.
 */
const MAX_FURTHER_PIECES = 4_000

export interface Taken {
  /** Received since the previous `take`. Undefined if there are none. */
  readonly bytes: Uint8Array | undefined
  /**
   * - `aborted`: the client disconnected, so the rest will never arrive.
   * - `refused`: the body has reached the bound `refusal`, and its bytes are dropped.
   */
  readonly state: "open" | "ended" | "aborted" | "refused"
}

export class RequestBody {
  /** `Content-Length`; undefined for a chunked body. */
  readonly declaredLength: number | undefined
  receivedBytes = 0
  /** Called once when the whole body has arrived. */
  onComplete: (() => void) | undefined
  refusal: BodyBound | undefined
  #pieces = 0
  #complete = false
  #aborted = false
  readonly #response: HttpResponse
  readonly #account: BodyAccount
  readonly #buffer = new GrowingBuffer()
  #paused = false
  #discarding = false
  /** True once the response has ended. The native response must not be used any more. */
  #answered = false
  #waiter: (() => void) | undefined
  /** Buffered bytes above which the waiter is called before the end of the body. */
  #wakesAbove = 0

  constructor(response: HttpResponse, declaredLength: number | undefined, account: BodyAccount) {
    this.#response = response
    this.#account = account
    this.declaredLength = declaredLength
    response.onData((chunk, isLast) => this.#received(chunk, isLast))
  }

  /** Bytes that have not arrived yet. Infinite for a chunked body that is not complete. */
  get outstandingBytes(): number {
    if (this.#complete) return 0
    return this.declaredLength === undefined ? Number.POSITIVE_INFINITY : this.declaredLength - this.receivedBytes
  }

  /**
   * True if the rest must not be read, because the body was refused or its length is unknown. The client gets the
   * response, its connection stays paused, and the native library closes it after 10 seconds. If it were closed at
   * once, it would be reset before the client has read the response.
   */
  get mustStop(): boolean {
    return !this.#complete && (this.refusal !== undefined || this.declaredLength === undefined)
  }

  /** Removes and returns all bytes that are available now. */
  take(): Taken {
    const taken = this.#taken()
    this.#account.set(0)
    this.#resume()
    return taken
  }

  /** Like `take`, for the last call: the bytes count until the request is answered. */
  takeLast(): Taken {
    return this.#taken()
  }

  /**
   * Calls `callback` once when more than `wakesAbove` bytes are available or the state has changed, possibly at once.
   * Returns a function that cancels the wait.
   */
  wait(callback: () => void, wakesAbove = 0): () => void {
    if (this.#buffer.length > wakesAbove || this.#complete || this.#aborted || this.refusal !== undefined) {
      callback()
      return () => {}
    }
    this.#waiter = callback
    this.#wakesAbove = wakesAbove
    this.#resume()
    return () => {
      if (this.#waiter === callback) this.#waiter = undefined
    }
  }

  countFor(key: string): void {
    const reached = this.#answered ? undefined : this.#account.countFor(key)
    if (reached !== undefined) this.#refuse(reached)
  }

  /** Pauses the socket for good and drops all bytes. What was already read from the socket still arrives. */
  stop(): void {
    this.#drop()
    if (this.#paused || this.#aborted || this.#complete) return
    this.#paused = true
    this.#response.pause()
  }

  /** Discards all bytes, also later ones. Must be called before a response ends, because a paused socket would stay paused. */
  discard(): void {
    if (this.mustStop) {
      this.stop()
      return
    }
    this.#drop()
    this.#resume()
  }

  answered(): void {
    this.#answered = true
    this.#drop()
  }

  abort(): void {
    this.#aborted = true
    this.#drop()
    this.#wake()
  }

  #received(chunk: ArrayBuffer, isLast: boolean): void {
    this.receivedBytes += chunk.byteLength
    this.#pieces += 1
    if (isLast) {
      this.#complete = true
      this.onComplete?.()
    }
    if (this.#answered) return
    const beyond = this.#pieces - MAX_PIECES - this.receivedBytes / BYTES_PER_PIECE
    if (beyond > MAX_FURTHER_PIECES) this.#response.close()
    else if (beyond > 0) this.#refuse("pieces")
    else this.#keep(chunk)
  }

  #keep(chunk: ArrayBuffer): void {
    if (!this.#discarding && chunk.byteLength > 0) {
      const capacity = this.#buffer.capacityFor(chunk.byteLength, this.declaredLength)
      const reached = this.#account.set(capacity)
      if (reached !== undefined) {
        this.#refuse(reached)
        return
      }
      // The native buffer becomes invalid when this callback returns.
      this.#buffer.append(new Uint8Array(chunk), capacity)
    }
    if (this.#waiter !== undefined) {
      if (this.#complete || this.#buffer.length > this.#wakesAbove) this.#wake()
    } else if (!this.#complete && this.#buffer.length >= highWaterMark && !this.#paused) {
      this.#paused = true
      this.#response.pause()
    }
  }

  #refuse(bound: BodyBound): void {
    if (this.refusal !== undefined || this.#aborted || this.#answered) return
    this.refusal = bound
    this.stop()
    // The reader answers in a later turn. Otherwise, the rest of what the library has read would be passed to a
    // response that has ended, and the connection could not be closed.
    setImmediate(() => this.#wake())
  }

  #taken(): Taken {
    const bytes = this.#buffer.length === 0 ? undefined : this.#buffer.take()
    if (this.refusal !== undefined) return { bytes: undefined, state: "refused" }
    return { bytes, state: this.#complete ? "ended" : this.#aborted ? "aborted" : "open" }
  }

  #drop(): void {
    this.#discarding = true
    this.#buffer.clear()
    this.#account.set(0)
  }

  #resume(): void {
    if (!this.#paused || this.#aborted || (this.refusal !== undefined && !this.#complete)) return
    this.#paused = false
    this.#response.resume()
  }

  #wake(): void {
    const waiter = this.#waiter
    this.#waiter = undefined
    waiter?.()
  }
}
