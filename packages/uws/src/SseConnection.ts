// Owns one open Server-Sent Events response: a bounded, never waiting sink of already framed bytes.
// Does not own framing (`data:`, `id:`) nor resume; the caller writes whole events.
import type { HttpResponse } from "uWebSockets.js"
import { corkedWrite, flush } from "./corked.ts"
import type { SseMember, SseTopics } from "./SseTopics.ts"

/** An empty line between events means nothing to an SSE parser, so it can ask the socket whether it is writable again. */
const probe = new Uint8Array([0x0a])

/** What a connection shares with all others of its route. */
export interface SseOwner<Data> {
  readonly maxBackpressureBytes: number
  readonly topics: SseTopics
  /** A write was skipped, the first since the buffer was last empty. */
  readonly dropped: (connection: SseConnection<Data>, skipped: Uint8Array) => void
  /** The connection is over; called once. */
  readonly closed: (connection: SseConnection<Data>) => void
}

export class SseConnection<Data> implements SseMember {
  readonly data: Data
  /** Unique within the server's process, shared with WebSockets, counted from 1. */
  readonly id: number
  /** The topics it follows; kept by SseTopics. */
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
   * An upper bound: everything written since the socket was last known to be empty. uWebSockets.js tells only that something is
   * buffered, not how much.
   */
  get bufferedBytes(): number {
    return this.#bufferedBytes
  }

  /**
   * Writes one or more whole events; the same bytes may go to any number of connections. False when they did not leave at once
   * (they will, and `drain` follows), when the connection is closed, or when the buffer is full: then the bytes are skipped, and so
   * are all that follow until it is empty. The first skip is told to the handler, at once.
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

  /** Ends the stream, after these bytes if given. The client reconnects on its own unless it was told not to. */
  end(bytes?: Uint8Array): void {
    const response = this.#response
    if (response === undefined) return
    // Not with `closeConnection`: on a chunked response the native library writes that header into the middle of the body.
    response.cork(() => response.end(bytes))
    this.detach()
  }

  /** Called by the route alone: the socket takes bytes again. True when the buffer is known to be empty now. */
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

  /** Cuts the connection off with whatever waits. For a peer that does not read; see `end` for others. */
  cut(): void {
    this.#response?.close()
  }

  /** Called by the route alone, and by `end`: nothing may touch the native response any more. */
  detach(): void {
    if (this.#response === undefined) return
    this.#response = undefined
    this.#bufferedBytes = 0
    this.#owner.topics.leave(this)
    this.#owner.closed(this)
  }
}
