// Owns writing a response body piece by piece at the pace of the socket: memory stays bounded however slow the client reads.
// The head goes out with the first piece, so a body that fails before it has begun can still become an error response.
import { Effect } from "effect"
import { corkedWrite, flush } from "../corked.ts"
import type { Exchange } from "./Exchange.ts"

export interface Sink {
  /** Completes when the socket has taken the bytes, or nearly: see the classes. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void>
  /** Completes the response. Dies with a `RangeError` when a declared length was not reached. */
  readonly end: Effect.Effect<void>
}

/** The largest piece handed over at once. */
const sliceBytes = 64 * 1024

/** Writes what `push` has, waiting for the socket until it returns true. */
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

/** Once a response has a writable handler, the native library leaves draining to it. */
const flushOnly = (exchange: Exchange) => () => flush(exchange.response)

/**
 * A body of unknown length, chunked. The native library says that something is buffered, never how much, so after a full socket
 * a single byte of the next piece goes first: accepted without buffering, it proves that the buffer is empty again. At most one
 * slice is in the buffer at any time.
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

/** A body whose length is declared. Exact: the native library takes what the socket takes and buffers nothing. */
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
        return Effect.die(new RangeError(`The response body has ${this.#accepted} bytes, its content-length says ${this.#length}`))
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

  /** Returns how many bytes the socket took. */
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
