// One open WebSocket, as passed to its handler. All methods may be called at any time, even after the socket has
// closed. Rooms and conflation (skipping outdated messages) are handled elsewhere, based on the result that each send
// returns.
import type { WebSocket } from "uWebSockets.js"

/**
 * Result of sending a message. `sent`: passed to the kernel. `buffered`: accepted, and sent as soon as the peer reads.
 * `dropped`: not sent, because the peer is gone or its buffer exceeds the limit.
 */
export type SendResult = "sent" | "buffered" | "dropped"

/**
 * Data that uWebSockets.js stores for each socket. There is only one property, because uWebSockets.js copies each
 * property to the native object.
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

  /** True if nothing can be sent any more. It may become true before the handler's `close` is called. */
  get closed(): boolean {
    return this.#socket === undefined || this.#pendingClose !== undefined
  }

  /**
   * Sends a message. Strings are sent as text frames. Bytes are assumed to be encoded JSON and are also sent as a text
   * frame, unless `isBinary` is true. Bytes are copied only if they have to be buffered.
   */
  send(message: string | Uint8Array, isBinary = false): SendResult {
    if (this.#socket === undefined || this.#pendingClose !== undefined) return "dropped"
    const result = this.#socket.send(message, isBinary)
    return result === 1 ? "sent" : result === 0 ? "buffered" : "dropped"
  }

  /** Asks the peer for a pong, which every WebSocket implementation sends by itself as soon as it has read the ping. */
  ping(): void {
    if (!this.closed) this.#socket?.ping()
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
    // Checks at the deadline whether the buffer is empty and the close frame can be sent. This is needed because an
    // automatic ping may have emptied the buffer without a drain event.
    const timer = setTimeout(() => {
      this.drained()
      this.#socket?.close()
    }, closeFrameTimeoutMs)
    this.#pendingClose = { code, reason, timer }
  }

  /**
   * Closes the connection without a close frame and frees its buffer. The handler's `close` gets the code that was
   * passed to an earlier `end`, or 1006. Must not be called within callbacks of the native library.
   */
  cut(): void {
    this.#socket?.close()
  }

  /** Must be called by the route with the native socket when the socket has opened. */
  attach(socket: WebSocket<SocketData<Data>>): void {
    this.#socket = socket
  }

  /**
   * Must be called by the route when the number of buffered bytes has decreased. Returns false if the connection is
   * waiting to send its close frame; the route then does not notify the handler.
   */
  drained(): boolean {
    if (this.#pendingClose === undefined) return true
    if (this.#socket?.getBufferedAmount() === 0) this.#socket.end(this.#pendingClose.code, this.#pendingClose.reason)
    return false
  }

  /**
   * Must be called by the route when the socket has closed. Returns the close code to report to the handler: the code
   * passed to `end` if its close frame was still pending, otherwise `code`.
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
