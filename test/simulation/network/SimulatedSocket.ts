/**
 * A WebSocket of uWebSockets.js without a network: its return values, its limit, its callbacks and their order match
 * the native one. As the native one, it throws if it is used after its end.
 */
import type { RecognizedString, WebSocket, WebSocketBehavior } from "uWebSockets.js"
import type { VirtualLoop } from "../machine/VirtualLoop.ts"
import type { ServerEnd, SocketClient } from "./connections.ts"
import type { Subscriber, TopicTree } from "./TopicTree.ts"
import { type LinkSpeed, Wire } from "./Wire.ts"

type Outgoing =
  | { readonly _tag: "Message"; readonly bytes: Uint8Array; readonly sentAt: number }
  | { readonly _tag: "Ping" }
  | { readonly _tag: "Close"; readonly code: number; readonly reason: string }

const CLOSE_FRAME_BYTES = 8
const PING_FRAME_BYTES = 2
const ABNORMAL = 1006

export class SimulatedSocket<Data> implements WebSocket<Data>, ServerEnd {
  readonly #loop: VirtualLoop
  readonly #data: Data
  readonly #behavior: WebSocketBehavior<Data>
  readonly #tree: TopicTree
  readonly #client: SocketClient
  readonly #wire: Wire<Outgoing>
  readonly #remoteAddress: ArrayBuffer
  readonly #subscriber: Subscriber
  readonly #ended: () => void
  #open = true
  readonly #latencyMs: number
  #receivedAt: number
  largest = 0
  mostWaiting = 0

  constructor(options: {
    readonly loop: VirtualLoop
    readonly data: Data
    readonly behavior: WebSocketBehavior<Data>
    readonly tree: TopicTree
    readonly client: SocketClient
    readonly speed: LinkSpeed
    readonly remoteAddress: ArrayBuffer
    readonly ended: () => void
  }) {
    this.#loop = options.loop
    this.#data = options.data
    this.#behavior = options.behavior
    this.#tree = options.tree
    this.#client = options.client
    this.#remoteAddress = options.remoteAddress
    this.#ended = options.ended
    this.#receivedAt = options.loop.now
    this.#latencyMs = options.speed.latencyMs
    this.#wire = new Wire(options.loop, options.speed, {
      deliver: (outgoing) => this.#deliver(outgoing),
      writable: () => this.#writable(),
    })
    this.#subscriber = { topics: new Set(), pending: [], write: (message) => void this.#write(message) }
    this.#watchIdle()
  }

  send(message: RecognizedString): number {
    this.#touch()
    this.#tree.drain(this.#subscriber)
    return this.#open ? this.#write(bytesOf(message)) : 2
  }

  getBufferedAmount(): number {
    this.#touch()
    return this.#wire.waiting
  }

  /**
   * As with the native socket, the close frame is lost if the buffer is over its limit. The handler's `close` is called
   * before this returns.
   */
  end(code = 1000, reason: RecognizedString = ""): void {
    this.#touch()
    const limit = this.#behavior.maxBackpressure ?? Number.POSITIVE_INFINITY
    if (this.#wire.waiting <= limit) this.#wire.write({ _tag: "Close", code, reason: String(reason) }, CLOSE_FRAME_BYTES)
    else this.#wire.write({ _tag: "Close", code: ABNORMAL, reason: "" }, CLOSE_FRAME_BYTES)
    this.#over(code, String(reason))
  }

  close(): void {
    this.#touch()
    this.#wire.cut(1)
    this.#breaks()
    this.#over(ABNORMAL, "")
  }

  /** As with the native socket, the ping is lost if the buffer is over its limit. */
  ping(): number {
    this.#touch()
    this.#tree.drain(this.#subscriber)
    const limit = this.#behavior.maxBackpressure ?? 0
    if (limit > 0 && this.#wire.waiting > limit) return 2
    this.#wire.write({ _tag: "Ping" }, PING_FRAME_BYTES)
    return this.#wire.waiting === 0 ? 1 : 0
  }

  subscribe(topic: RecognizedString): boolean {
    this.#touch()
    return this.#tree.subscribe(String(topic), this.#subscriber)
  }

  unsubscribe(topic: RecognizedString): boolean {
    this.#touch()
    return this.#tree.unsubscribe(String(topic), this.#subscriber)
  }

  isSubscribed(topic: RecognizedString): boolean {
    this.#touch()
    return this.#subscriber.topics.has(String(topic))
  }

  getTopics(): Array<string> {
    this.#touch()
    return [...this.#subscriber.topics]
  }

  publish(): boolean {
    throw new Error("a socket of the simulation does not publish")
  }

  cork(run: () => void): WebSocket<Data> {
    this.#touch()
    run()
    return this
  }

  getRemoteAddress(): ArrayBuffer {
    return this.#remoteAddress
  }

  getRemoteAddressAsText(): ArrayBuffer {
    return this.#remoteAddress
  }

  getUserData(): Data {
    return this.#data
  }

  /** Reports the new connection to the route. */
  opened(): void {
    this.#behavior.open?.(this)
  }

  receive(text: string | Uint8Array): void {
    if (!this.#open) return
    this.#receivedAt = this.#loop.now
    const bytes = typeof text === "string" ? utf8.encode(text) : text
    if (bytes.length > (this.#behavior.maxPayloadLength ?? 16 * 1024)) {
      this.peerLeft()
      this.#breaks()
      return
    }
    const copy = new ArrayBuffer(bytes.length)
    new Uint8Array(copy).set(bytes)
    this.#behavior.message?.(this, copy, typeof text !== "string")
  }

  /** The client has disconnected, and the server knows it. */
  peerLeft(code = ABNORMAL): void {
    if (!this.#open) return
    this.#wire.cut()
    this.#over(code, "")
  }

  change(speed: LinkSpeed): void {
    this.#wire.change(speed)
  }

  /** The server's machine fails: no callback is called any more. */
  vanish(kept: number, silently: boolean): void {
    this.#open = false
    this.#wire.cut(kept)
    if (!silently) this.#breaks()
    this.#tree.leave(this.#subscriber)
  }

  #deliver(outgoing: Outgoing): void {
    switch (outgoing._tag) {
      case "Message":
        this.#client.message(outgoing.bytes, outgoing.sentAt)
        return
      case "Close":
        this.#client.closed(outgoing.code, outgoing.reason)
        return
      case "Ping":
        this.#loop.arrive(this.#latencyMs, () => this.#ponged())
    }
  }

  /** The client answers a ping by itself as soon as it has read it. */
  #ponged(): void {
    if (!this.#open || !this.#client.isAlive()) return
    this.#receivedAt = this.#loop.now
    this.#behavior.pong?.(this, new ArrayBuffer(0))
  }

  #write(bytes: Uint8Array): number {
    if (!this.#open) return 2
    const limit = this.#behavior.maxBackpressure ?? 0
    if (limit > 0 && this.#wire.waiting > limit) {
      const copy = new ArrayBuffer(bytes.length)
      new Uint8Array(copy).set(bytes)
      this.#behavior.dropped?.(this, copy, false)
      return 2
    }
    this.largest = Math.max(this.largest, bytes.length)
    this.#wire.write({ _tag: "Message", bytes, sentAt: this.#loop.now }, bytes.length)
    this.mostWaiting = Math.max(this.mostWaiting, this.#wire.waiting)
    return this.#wire.waiting === 0 ? 1 : 0
  }

  #writable(): void {
    if (!this.#open) {
      this.#wire.flush()
      return
    }
    const before = this.#wire.waiting
    this.#wire.flush()
    if (this.#wire.waiting < before) this.#behavior.drain?.(this)
  }

  /** Pings are answered as long as the client reads. A client that reads nothing is closed after the idle timeout. */
  #watchIdle(): void {
    const idleMs = (this.#behavior.idleTimeout ?? 0) * 1_000
    if (idleMs === 0) return
    let read = -1
    const look = () => {
      if (!this.#open) return
      const alive = this.#client.isAlive() && (this.#wire.waiting === 0 || this.#wire.read !== read)
      if (alive) this.#receivedAt = this.#loop.now
      read = this.#wire.read
      if (this.#loop.now - this.#receivedAt > idleMs) {
        this.#breaks()
        this.peerLeft()
      } else this.#loop.arrive(idleMs / 4, look)
    }
    this.#loop.arrive(idleMs / 4, look)
  }

  #breaks(): void {
    this.#loop.arrive(this.#latencyMs, () => this.#client.lost())
  }

  #over(code: number, reason: string): void {
    if (!this.#open) return
    this.#open = false
    this.#tree.leave(this.#subscriber)
    const text = utf8.encode(reason)
    const copy = new ArrayBuffer(text.length)
    new Uint8Array(copy).set(text)
    this.#behavior.close?.(this, code, copy)
    this.#ended()
  }

  #touch(): void {
    if (!this.#open) throw new Error("Invalid access of closed uWS.WebSocket/SSLWebSocket.")
  }
}

const utf8 = new TextEncoder()

const bytesOf = (message: RecognizedString): Uint8Array =>
  typeof message === "string"
    ? utf8.encode(message)
    : message instanceof Uint8Array
      ? message
      : new Uint8Array(message instanceof ArrayBuffer ? message : message.buffer)
