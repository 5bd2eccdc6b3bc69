// One open response with Server-Sent Events. A write takes encoded bytes and never waits; the number of buffered bytes
// is limited. Callers write complete events; the event format and resumption are handled elsewhere.
import type { HttpResponse } from "uWebSockets.js"
import { corkedWrite, flush } from "./corked.ts"
import type { SseMember, SseTopics } from "./SseTopics.ts"

/** SSE parsers ignore an empty line between events. Writing it shows whether the socket accepts bytes again. */
const probe = new Uint8Array([0x0a])

/** Shared by all connections of a route. */
export interface SseOwner<Data> {
  readonly maxBackpressureBytes: number
  readonly topics: SseTopics
  /** A write was skipped because the buffer is full. Not called again until the buffer has been empty. */
  readonly dropped: (connection: SseConnection<Data>, skipped: Uint8Array) => void
  /** Called once when the connection has ended. */
  readonly closed: (connection: SseConnection<Data>) => void
}

export class SseConnection<Data> implements SseMember {
  readonly data: Data
  /** Unique within the server process, from 1. SSE connections and WebSockets share one counter. */
  readonly id: number
  /** Changed only by `SseTopics`. */
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
   * Upper bound: bytes since the buffer was last known to be empty. uWebSockets.js does not report how many are left.
   */
  get bufferedBytes(): number {
    return this.#bufferedBytes
  }

  /**
   * Writes complete events. The same bytes may be written to any number of connections. Returns false in three cases:
   * - The bytes were buffered. They will be sent, and the handler's `drain` is called afterwards.
   * - The connection is closed.
   * - The buffer is full. These bytes and all later ones are skipped until it is empty. The handler is notified of the
   *   first skipped write immediately.
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

  /** Sends `bytes` first. The client will reconnect, unless an event has told it not to. */
  end(bytes?: Uint8Array): void {
    const response = this.#response
    if (response === undefined) return
    // The native option `closeConnection` would write a `connection: close` header into the middle of a chunked body.
    response.cork(() => response.end(bytes))
    this.detach()
  }

  /** The route calls this when the socket accepts bytes again. Returns true if the buffer is now known to be empty. */
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

  /** Closes immediately and discards all buffered bytes. Only for peers that do not read, otherwise `end`. */
  cut(): void {
    this.#response?.close()
  }

  /** Called by the route and `end` when the native response must not be used any more. */
  detach(): void {
    if (this.#response === undefined) return
    this.#response = undefined
    this.#bufferedBytes = 0
    this.#owner.topics.leave(this)
    this.#owner.closed(this)
  }
}
