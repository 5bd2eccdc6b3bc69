// One open WebSocket. All methods may be called at any time, even after the socket has closed. Rooms and conflation are
// handled elsewhere, based on the result that each send returns.
import type { WebSocket } from "uWebSockets.js"

/** `sent`: to the kernel. `buffered`: sent once the peer reads. `dropped`: the peer is gone or its buffer is full. */
export type SendResult = "sent" | "buffered" | "dropped"

/** There is only one property, because uWebSockets.js copies each property to the native object. */
export interface SocketData<Data> {
  connection: WebSocketConnection<Data>
}

/** How long a peer that does not read may delay a close frame. Then the connection is terminated. */
const closeFrameTimeoutMs = 5_000

export class WebSocketConnection<Data> {
  readonly data: Data
  /** Unique within the server process, from 1. */
  readonly id: number
  #socket: WebSocket<SocketData<Data>> | undefined
  #pendingClose: PendingClose | undefined

  constructor(id: number, data: Data) {
    this.id = id
    this.data = data
  }

  /** True if nothing can be sent any more. May become true before the handler's `close` is called. */
  get closed(): boolean {
    return this.#socket === undefined || this.#pendingClose !== undefined
  }

  /**
   * Bytes are encoded JSON and sent as text, unless `isBinary` is true. They are copied only if they must be buffered.
   */
  send(message: string | Uint8Array, isBinary = false): SendResult {
    if (this.#socket === undefined || this.#pendingClose !== undefined) return "dropped"
    const result = this.#socket.send(message, isBinary)
    return result === 1 ? "sent" : result === 0 ? "buffered" : "dropped"
  }

  /** Every WebSocket implementation sends the pong by itself as soon as it has read the ping. */
  ping(): void {
    if (!this.closed) this.#socket?.ping()
  }

  /** Bytes that were accepted but not yet passed to the kernel. */
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
   * Closes with a code (1000, 1001, 3000 to 4999) and a reason of at most 123 bytes. Later messages are dropped.
   *
   * If the buffer exceeds its limit, uWebSockets.js drops even close frames, and the peer would see only code 1006. So
   * a peer with buffered bytes gets the close frame after its buffer has drained. If that takes more than five seconds,
   * the connection is terminated.
   */
  end(code: number, reason = ""): void {
    const socket = this.#socket
    if (socket === undefined || this.#pendingClose !== undefined) return
    if (socket.getBufferedAmount() === 0) {
      socket.end(code, reason)
      return
    }
    for (const topic of socket.getTopics()) socket.unsubscribe(topic)
    // An automatic ping may have emptied the buffer without a drain event, so the close frame may be sendable.
    const timer = setTimeout(() => {
      this.drained()
      this.#socket?.close()
    }, closeFrameTimeoutMs)
    this.#pendingClose = { code, reason, timer }
  }

  /**
   * No close frame; frees the buffer. `close` gets the code of an earlier `end`, or 1006. Not within native callbacks.
   */
  cut(): void {
    this.#socket?.close()
  }

  /** Called by the route when the socket has opened. */
  attach(socket: WebSocket<SocketData<Data>>): void {
    this.#socket = socket
  }

  /** Fewer bytes are buffered. False if the connection waits to send its close frame: the handler is not notified. */
  drained(): boolean {
    if (this.#pendingClose === undefined) return true
    if (this.#socket?.getBufferedAmount() === 0) this.#socket.end(this.#pendingClose.code, this.#pendingClose.reason)
    return false
  }

  /**
   * The socket has closed. Returns the code for the handler: that of `end` if its close frame was pending, else `code`.
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
