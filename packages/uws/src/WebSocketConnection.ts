// One open WebSocket, as its handler sees it. All methods are safe at any time, even after the close. It does not own
// rooms or conflation; it only returns the result of each send.
import type { WebSocket } from "uWebSockets.js"

/**
 * Result of a send. `buffered`: accepted, and sent when the peer reads. `dropped`: the peer is gone, or its buffer
 * exceeds the limit.
 */
export type SendResult = "sent" | "buffered" | "dropped"

/**
 * Data that uWebSockets.js stores per socket. It has a single property, because each property is copied to the native
 * object.
 */
export interface SocketData<Data> {
  connection: WebSocketConnection<Data>
}

/** Milliseconds for which a peer that reads nothing may delay its own close frame. */
const closeFrameTimeoutMs = 5_000

export class WebSocketConnection<Data> {
  readonly data: Data
  /** Number of the connection: unique within the server process, counted from 1. */
  readonly id: number
  #socket: WebSocket<SocketData<Data>> | undefined
  #pendingClose: PendingClose | undefined

  constructor(id: number, data: Data) {
    this.id = id
    this.data = data
  }

  /** True once nothing can be sent any more. This may be before the handler's `close` is called. */
  get closed(): boolean {
    return this.#socket === undefined || this.#pendingClose !== undefined
  }

  /**
   * Sends a message. Strings are sent as text frames, and so are bytes, which hold encoded JSON, unless `isBinary` is
   * true. Bytes are copied only if they have to be buffered.
   */
  send(message: string | Uint8Array, isBinary = false): SendResult {
    if (this.#socket === undefined || this.#pendingClose !== undefined) return "dropped"
    const result = this.#socket.send(message, isBinary)
    return result === 1 ? "sent" : result === 0 ? "buffered" : "dropped"
  }

  /** Number of bytes accepted but not yet passed to the kernel. */
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
   * Closes with a code (1000, 1001, 3000 to 4999) and a reason of at most 123 bytes. Nothing is sent afterwards.
   * uWebSockets.js drops even a close frame if the buffer exceeds its limit, and the peer would then see only 1006. So
   * a peer that is behind gets the frame after it has drained. If it has not drained after five seconds, the connection
   * is cut.
   */
  end(code: number, reason = ""): void {
    const socket = this.#socket
    if (socket === undefined || this.#pendingClose !== undefined) return
    if (socket.getBufferedAmount() === 0) {
      socket.end(code, reason)
      return
    }
    for (const topic of socket.getTopics()) socket.unsubscribe(topic)
    // An automatic ping may have emptied the buffer without a drain event, so the buffer is checked again at the
    // deadline.
    const timer = setTimeout(() => {
      this.drained()
      this.#socket?.close()
    }, closeFrameTimeoutMs)
    this.#pendingClose = { code, reason, timer }
  }

  /**
   * Closes the connection without a close frame and frees its buffer. The handler's `close` gets the code of an earlier
   * `end`, or 1006. Must not be called within callbacks of the native library.
   */
  cut(): void {
    this.#socket?.close()
  }

  /** For the route only: called with the native socket when it has opened. */
  attach(socket: WebSocket<SocketData<Data>>): void {
    this.#socket = socket
  }

  /**
   * For the route only: called when the buffer has shrunk. Returns false while a close is pending; the handler is then
   * not notified.
   */
  drained(): boolean {
    if (this.#pendingClose === undefined) return true
    if (this.#socket?.getBufferedAmount() === 0) this.#socket.end(this.#pendingClose.code, this.#pendingClose.reason)
    return false
  }

  /**
   * For the route only: called when the socket is gone. Returns the code to report: that of a pending `end`, or else
   * `code`.
   */
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
