// One open response with Server-Sent Events: a bounded sink for framed bytes that never waits. Callers write whole
// events. It does not own framing (`data:`, `id:`) or resumption.
import type { HttpResponse } from "uWebSockets.js"
import { corkedWrite, flush } from "./corked.ts"
import type { SseMember, SseTopics } from "./SseTopics.ts"

/** An empty line between events, which SSE parsers ignore. Writing it shows whether the socket is writable again. */
const probe = new Uint8Array([0x0a])

/** Settings and callbacks that all connections of a route share. */
export interface SseOwner<Data> {
  readonly maxBackpressureBytes: number
  readonly topics: SseTopics
  /** Called when a write is skipped, but only for the first one since the buffer was last empty. */
  readonly dropped: (connection: SseConnection<Data>, skipped: Uint8Array) => void
  /** Called once when the connection has ended. */
  readonly closed: (connection: SseConnection<Data>) => void
}

export class SseConnection<Data> implements SseMember {
  readonly data: Data
  /** Number of the connection: unique within the server process, counted from 1 together with WebSockets. */
  readonly id: number
  /** Topics that the connection is subscribed to; maintained by `SseTopics`. */
  readonly topics = new Set<string>()
  readonly #owner: SseOwner<Data>
  #response: HttpResponse | undefined
  #bufferedBytes = 0
  #skipping = false

  constructor(id: number, data: Data, response: HttpResponse, owner: SseOwner<Data>) {
    this.id = id
    this.data = data
    this.#response = response
    this.#owner = owner
  }

  get closed(): boolean {
    return this.#response === undefined
  }

  /**
   * Upper bound of the buffered bytes: everything written since the socket was last known to be empty. uWebSockets.js
   * reports only that bytes are buffered, not how many.
   */
  get bufferedBytes(): number {
    return this.#bufferedBytes
  }

  /**
   * Writes one or more whole events. The same bytes may be written to any number of connections. Returns false in three
   * cases:
   * - The bytes were buffered. They will be sent, and `drain` follows.
   * - The connection is closed.
   * - The buffer is full. These bytes and all later ones are skipped until it is empty. The handler is notified of the
   *   first skip at once.
   */
  write(bytes: Uint8Array): boolean {
    const response = this.#response
    if (response === undefined) return false
    if (bytes.length === 0) return this.#bufferedBytes === 0
    if (this.#skipping) return false
    if (this.#bufferedBytes > 0 && this.#bufferedBytes + bytes.length > this.#owner.maxBackpressureBytes) {
      this.#skipping = true
      this.#owner.dropped(this, bytes)
      return false
    }
    return this.#write(response, bytes)
  }

  #write(response: HttpResponse, bytes: Uint8Array): boolean {
    if (corkedWrite(response, bytes)) {
      this.#bufferedBytes = 0
      return true
    }
    this.#bufferedBytes += bytes.length
    return false
  }

  subscribe(topic: string): void {
    if (!this.closed) this.#owner.topics.subscribe(topic, this)
  }

  unsubscribe(topic: string): void {
    this.#owner.topics.unsubscribe(topic, this)
  }

  /** Ends the stream, after these bytes if given. The client reconnects by itself unless it was told not to. */
  end(bytes?: Uint8Array): void {
    const response = this.#response
    if (response === undefined) return
    // Does not use `closeConnection`: on a chunked response, the native library would write that header into the middle
    // of the body.
    response.cork(() => response.end(bytes))
    this.detach()
  }

  /**
   * For the route only: called when the socket accepts bytes again. Returns true if the buffer is now known to be
   * empty.
   */
  writable(): boolean {
    const response = this.#response
    if (response === undefined) return false
    if (this.#bufferedBytes === 0) {
      flush(response)
      return false
    }
    if (!this.#write(response, probe)) return false
    this.#skipping = false
    return true
  }

  /** Closes the connection and discards all buffered bytes. For peers that do not read; use `end` for others. */
  cut(): void {
    this.#response?.close()
  }

  /** For the route and `end` only: called when the native response must not be used any more. */
  detach(): void {
    if (this.#response === undefined) return
    this.#response = undefined
    this.#bufferedBytes = 0
    this.#owner.topics.leave(this)
    this.#owner.closed(this)
  }
}
