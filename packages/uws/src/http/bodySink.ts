// Writes a response body at the pace of the socket, so that memory stays bounded however slowly the client reads. The
// head is sent with the first chunk, so a body that fails before can still become an error response.
import { Effect } from "effect"
import { corkedWrite, flush } from "../corked.ts"
import type { Exchange } from "./Exchange.ts"

export interface Sink {
  /** Completes when the socket has accepted all or nearly all of the bytes; the classes specify which. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void>
  /** Dies with a `RangeError` if fewer bytes than the declared length were written. */
  readonly end: Effect.Effect<void>
}

/** Largest part that is passed to the socket at once. */
const sliceBytes = 64 * 1024

/** Calls `push` immediately and then each time the socket becomes writable, until it returns true. */
const pushAll = (exchange: Exchange, push: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (exchange.closed || push()) return Effect.void
    return Effect.callback<void>((resume) => {
      exchange.isStalled = true
      exchange.waitWritable(() => {
        if (!push()) return
        exchange.isStalled = false
        exchange.waitWritable(flushOnly(exchange))
        resume(Effect.void)
      })
      return Effect.sync(() => exchange.waitWritable(flushOnly(exchange)))
    })
  })

/** Sends buffered bytes; see `flush`. */
const flushOnly = (exchange: Exchange) => () => flush(exchange.response)

/**
 * Sends a body of unknown length. At most one slice is buffered at any time.
 *
 * The native library reports only that bytes are buffered, not how many. If the socket was full, the first byte of the
 * next slice is written separately. If it is accepted without buffering, the buffer is empty again.
 */
export class ChunkedSink implements Sink {
  readonly #exchange: Exchange
  readonly #writeHead: () => void
  #full = false

  constructor(exchange: Exchange, writeHead: () => void) {
    this.#exchange = exchange
    this.#writeHead = writeHead
  }

  write(bytes: Uint8Array): Effect.Effect<void> {
    let rest = bytes
    return pushAll(this.#exchange, () => {
      while (rest.length > 0) {
        const probing = this.#full
        const slice = rest.subarray(0, probing ? 1 : sliceBytes)
        rest = rest.subarray(slice.length)
        this.#full = !this.#writeSlice(slice)
        if (probing && this.#full) return rest.length === 0
      }
      return true
    })
  }

  get end(): Effect.Effect<void> {
    return Effect.sync(() =>
      this.#exchange.finish(() => {
        if (!this.#exchange.headSent) this.#writeHead()
        this.#exchange.response.end()
      }),
    )
  }

  #writeSlice(slice: Uint8Array): boolean {
    const { response } = this.#exchange
    if (this.#exchange.headSent) return corkedWrite(response, slice)
    let accepted = false
    this.#exchange.cork(() => {
      this.#writeHead()
      accepted = response.write(slice)
    })
    return accepted
  }
}

/** For a declared length. Buffers nothing: the native library takes only as many bytes as the socket accepts. */
export class SizedSink implements Sink {
  readonly #exchange: Exchange
  readonly #writeHead: () => void
  readonly #length: number
  #accepted = 0

  constructor(exchange: Exchange, length: number, writeHead: () => void) {
    this.#exchange = exchange
    this.#length = length
    this.#writeHead = writeHead
  }

  write(bytes: Uint8Array): Effect.Effect<void> {
    if (this.#accepted + bytes.length > this.#length) {
      return Effect.die(new RangeError(`The response body is longer than its content-length of ${this.#length}`))
    }
    let rest = bytes
    return pushAll(this.#exchange, () => {
      while (rest.length > 0) {
        const accepted = this.#offer(rest)
        rest = rest.subarray(accepted)
        this.#accepted += accepted
        if (rest.length > 0) return false
      }
      return true
    })
  }

  get end(): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.#accepted < this.#length) {
        return Effect.die(new RangeError(`The response body has ${this.#accepted} bytes, but its content-length is ${this.#length}`))
      }
      if (this.#length === 0) {
        this.#exchange.finish(() => {
          this.#writeHead()
          this.#exchange.response.end()
        })
      }
      return Effect.void
    })
  }

  /** Returns the number of bytes that the socket accepted. */
  #offer(bytes: Uint8Array): number {
    const { response } = this.#exchange
    const before = this.#accepted
    let ok = false
    let ended = false
    if (before + bytes.length === this.#length) this.#exchange.readAgain()
    this.#exchange.cork(() => {
      if (!this.#exchange.headSent) this.#writeHead()
      ;[ok, ended] = response.tryEnd(bytes, this.#length)
    })
    if (ended) {
      this.#exchange.finished()
      return bytes.length
    }
    return ok ? bytes.length : response.getWriteOffset() - before
  }
}
