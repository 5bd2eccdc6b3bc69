/**
 * The path of bytes from a server's socket to its client: a buffer in the server, a buffer in the kernel, and a reader
 * with a rate in bytes per millisecond. Messages arrive whole and in order, `latencyMs` after their last byte was read.
 * If the speed is unlimited, nothing is buffered, and each message costs one event.
 */
import type { VirtualLoop } from "../machine/VirtualLoop.ts"

export interface LinkSpeed {
  readonly latencyMs: number
  /** Infinity: reads everything at once. 0: reads nothing. */
  readonly bytesPerMs: number
  readonly kernelBytes: number
}

interface Queued<Message> {
  readonly message: Message
  /** End of this message, counted in all bytes ever written. */
  readonly end: number
}

export interface WireEnds<Message> {
  readonly deliver: (message: Message) => void
  /** The kernel has room again for bytes that the server holds. */
  readonly writable: () => void
}

const READ_EVERY_MS = 25

export class Wire<Message> {
  readonly #loop: VirtualLoop
  readonly #ends: WireEnds<Message>
  #speed: LinkSpeed
  #queue: Array<Queued<Message>> = []
  #written = 0
  #taken = 0
  #read = 0
  #lastDelivery = 0
  #reading = false
  #cut = false

  constructor(loop: VirtualLoop, speed: LinkSpeed, ends: WireEnds<Message>) {
    this.#loop = loop
    this.#speed = speed
    this.#ends = ends
  }

  /** Bytes the server still holds. */
  get waiting(): number {
    return this.#written - this.#taken
  }

  /** Bytes the client has not read yet. */
  get unread(): number {
    return this.#written - this.#read
  }

  /** Bytes the client has read so far. Grows as long as the client is alive. */
  get read(): number {
    return this.#read
  }

  /** Queues the message. If `flushes`, passes to the kernel as much as fits. */
  write(message: Message, bytes: number, flushes = true): void {
    if (this.#cut) return
    this.#written += bytes
    this.#queue.push({ message, end: this.#written })
    if (flushes) this.flush()
  }

  /** Passes to the kernel as much as it has room for. */
  flush(): void {
    if (this.#cut) return
    if (this.#speed.bytesPerMs === Number.POSITIVE_INFINITY) {
      this.#taken = this.#written
      this.#read = this.#written
      this.#arrive()
      return
    }
    this.#taken = Math.min(this.#written, this.#read + this.#speed.kernelBytes)
    this.#startReading()
  }

  change(speed: LinkSpeed): void {
    this.#speed = speed
    if (this.#cut || speed.bytesPerMs === 0) return
    this.#startReading()
  }

  /** Cuts the connection. `kept`: share of the kernel's bytes that still arrive, 0..1. */
  cut(kept = 0): void {
    if (this.#cut) return
    this.#read += Math.floor((this.#taken - this.#read) * kept)
    this.#arrive()
    this.#cut = true
    this.#queue = []
    this.#written = this.#taken
  }

  #startReading(): void {
    if (this.#reading || this.#cut || this.#speed.bytesPerMs === 0 || this.#read === this.#written) return
    this.#reading = true
    this.#loop.arrive(READ_EVERY_MS, () => this.#takeSome())
  }

  #takeSome(): void {
    this.#reading = false
    if (this.#cut) return
    const { bytesPerMs } = this.#speed
    const waiting = this.waiting
    this.#read = Math.min(this.#taken, this.#read + Math.max(0, bytesPerMs) * READ_EVERY_MS)
    this.#arrive()
    if (waiting > 0) this.#ends.writable()
    this.#startReading()
  }

  #arrive(): void {
    let passed = 0
    for (const { message, end } of this.#queue) {
      if (end > this.#read) break
      passed += 1
      // Deliveries are never reordered.
      this.#lastDelivery = Math.max(this.#lastDelivery, this.#loop.now + this.#speed.latencyMs)
      this.#loop.arrive(this.#lastDelivery - this.#loop.now, () => this.#ends.deliver(message))
    }
    if (passed > 0) this.#queue.splice(0, passed)
  }
}
