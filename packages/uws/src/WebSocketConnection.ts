// One open WebSocket, as passed to its handler. All methods are safe at any time, even after the socket has closed.
// Rooms and conflation (skipping outdated messages) are handled elsewhere; the connection only returns the result of
// each send.
import type { WebSocket } from "uWebSockets.js"

/**
 * Result of a send. `sent`: passed to the kernel. `buffered`: accepted, and sent as soon as the peer reads. `dropped`:
 * not sent, because the peer is gone or its buffer exceeds the limit.
 */
export type SendResult = "sent" | "buffered" | "dropped"

/**
 * Data that uWebSockets.js stores per socket. It has a single property, because each property is copied to the native
 * object.
 */
export interface SocketData<Data> {
  connection: WebSocketConnection<Data>
}

/**
 * How long a close frame may be delayed by a peer that does not read, in milliseconds. After that, the connection is
 * terminated.
 */
const closeFrameTimeoutMs = 5_000

export class WebSocketConnection<Data> {
  readonly data: Data
  /** Id of the connection, unique within the server process. Ids start at 1. */
  readonly id: number
  #socket: WebSocket<SocketData<Data>> | undefined
  #pendingClose: PendingClose | undefined

  constructor(id: number, data: Data) {
    this.id = id
    this.data = data
  }

  /** True if nothing can be sent any more. This can happen before the handler's `close` is called. */
  get closed(): boolean {
    return this.#socket === undefined || this.#pendingClose !== undefined
  }

  /**
   * Sends a message. Strings are sent as text frames. Bytes contain encoded JSON, so they are also sent as text frames,
   * unless `isBinary` is true. Bytes are copied only if they have to be buffered.
   */
  send(message: string | Uint8Array, isBinary = false): SendResult {
    if (this.#socket === undefined || this.#pendingClose !== undefined) return "dropped"
    const result = this.#socket.send(message, isBinary)
    return result === 1 ? "sent" : result === 0 ? "buffered" : "dropped"
  }

  /** Returns the number of bytes that were accepted but not yet passed to the kernel. */
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
   * Closes the connection with a code (1000, 1001, 3000 to 4999) and a reason of at most 123 bytes. Messages sent
   * afterwards are dropped.
   *
   * If the buffer exceeds its limit, uWebSockets.js drops even close frames, and the peer would see only code 1006.
   * Therefore, a peer with buffered bytes gets the close frame only after its buffer has drained. If the buffer has not
   * drained after five seconds, the connection is terminated.
   */
  end(code: number, reason = ""): void {
    const socket = this.#socket
    if (socket === undefined || this.#pendingClose !== undefined) return
    if (socket.getBufferedAmount() === 0) {
      socket.end(code, reason)
      return
    }
    for (const topic of socket.getTopics()) socket.unsubscribe(topic)
    // Checks the buffer again at the deadline, because an automatic ping may have emptied it without a drain event.
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

  /** Called by the route with the native socket when the socket has opened. */
  attach(socket: WebSocket<SocketData<Data>>): void {
    this.#socket = socket
  }

  /**
   * Called by the route when the buffer has shrunk. Returns false while a close is pending, in which case the handler
   * is not notified.
   */
  drained(): boolean {
    if (this.#pendingClose === undefined) return true
    if (this.#socket?.getBufferedAmount() === 0) this.#socket.end(this.#pendingClose.code, this.#pendingClose.reason)
    return false
  }

  /**
   * Called by the route when the socket has closed. Returns the close code to report: the code of a pending `end`,
   * otherwise `code`.
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
