// Owns one open WebSocket as its handler sees it: safe to call at any time, also after the close.
// Does not own rooms or conflation; it only tells the sender what became of a message.
import type { WebSocket } from "uWebSockets.js"

/** `buffered`: accepted, leaves when the peer reads. `dropped`: the peer is gone, or its buffer is over the limit. */
export type SendResult = "sent" | "buffered" | "dropped"

/** What uWebSockets.js carries per socket: one property, because it copies every property onto the native object. */
export interface SocketData<Data> {
  connection: WebSocketConnection<Data>
}

/** How long a peer that reads nothing may delay its own close frame. */
const closeFrameTimeoutMs = 5_000

export class WebSocketConnection<Data> {
  readonly data: Data
  /** Unique within the server's process, counted from 1. */
  readonly id: number
  #socket: WebSocket<SocketData<Data>> | undefined
  #pendingClose: PendingClose | undefined

  constructor(id: number, data: Data) {
    this.id = id
    this.data = data
  }

  /** True from the moment nothing can be sent any more, which may be before the handler's `close` is called. */
  get closed(): boolean {
    return this.#socket === undefined || this.#pendingClose !== undefined
  }

  /** Strings go as text frames; bytes too (our frames are encoded JSON) unless `isBinary` says otherwise. The bytes are copied only if they must wait. */
  send(message: string | Uint8Array, isBinary = false): SendResult {
    if (this.#socket === undefined || this.#pendingClose !== undefined) return "dropped"
    const result = this.#socket.send(message, isBinary)
    return result === 1 ? "sent" : result === 0 ? "buffered" : "dropped"
  }

  /** Bytes accepted but not yet taken by the kernel. */
  bufferedBytes(): number {
    return this.#socket === undefined ? 0 : this.#socket.getBufferedAmount()
  }

  subscribe(topic: string): void {
    if (!this.closed) this.#socket?.subscribe(topic)
  }

  unsubscribe(topic: string): void {
    if (!this.closed) this.#socket?.unsubscribe(topic)
  }

  /**
   * Closes with a code (1000, 1001, 3000-4999) and a reason of at most 123 bytes. Nothing sent afterwards leaves.
   * uWebSockets.js drops a close frame, too, when the buffer is over its limit, and the peer would see a bare 1006. So a peer
   * that is behind gets its frame once it has drained, and is cut off when it has not after five seconds.
   */
  end(code: number, reason = ""): void {
    const socket = this.#socket
    if (socket === undefined || this.#pendingClose !== undefined) return
    if (socket.getBufferedAmount() === 0) {
      socket.end(code, reason)
      return
    }
    for (const topic of socket.getTopics()) socket.unsubscribe(topic)
    // An automatic ping may have emptied the buffer without a drain event, so the deadline looks once more.
    const timer = setTimeout(() => {
      this.drained()
      this.#socket?.close()
    }, closeFrameTimeoutMs)
    this.#pendingClose = { code, reason, timer }
  }

  /**
   * Cuts the connection off and frees what waits for it; the peer sees no close frame. The handler's `close` hears the code of an `end`
   * before, or 1006. Not from within the library's own callbacks.
   */
  cut(): void {
    this.#socket?.close()
  }

  /** Called by the route alone. */
  attach(socket: WebSocket<SocketData<Data>>): void {
    this.#socket = socket
  }

  /** Called by the route alone: the buffer got shorter. Returns false while a close is waiting, when it is no news for the handler. */
  drained(): boolean {
    if (this.#pendingClose === undefined) return true
    if (this.#socket?.getBufferedAmount() === 0) this.#socket.end(this.#pendingClose.code, this.#pendingClose.reason)
    return false
  }

  /** Called by the route alone: the socket is gone. Returns the code to report: ours, when we asked for the close. */
  detach(code: number): number {
    const pending = this.#pendingClose
    this.#socket = undefined
    this.#pendingClose = undefined
    if (pending === undefined) return code
    clearTimeout(pending.timer)
    return pending.code
  }
}

interface PendingClose {
  readonly code: number
  readonly reason: string
  readonly timer: NodeJS.Timeout
}
