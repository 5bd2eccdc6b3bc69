/** One direction of a proxied connection: passes bytes on at once, at a pace, or not at all. Order is kept. */
import type { Socket } from "node:net"

export interface Slowness {
  /** Delay of each direction, in milliseconds. */
  readonly latencyMs: number
  /** Bytes per second of each direction and connection. */
  readonly bytesPerSecond: number
}

export type Pace = "free" | "stopped" | Slowness

interface Piece {
  /** Undefined: the sender has ended its side. */
  readonly bytes: Buffer | undefined
  readonly dueAt: number
}

/** Bytes that may wait in one direction. Beyond it the proxy stops reading, so that the sender feels the pressure. */
const MAX_WAITING = 1024 * 1024
/** Longest piece that is passed on in one write while the pace is limited. */
const PIECE = 16 * 1024

export class Throttle {
  readonly #from: Socket
  readonly #to: Socket
  #pace: Pace = "free"
  #queue: Array<Piece> = []
  #waiting = 0
  #timer: NodeJS.Timeout | undefined
  /** Time until which the line is occupied by earlier bytes. */
  #busyUntil = 0

  constructor(from: Socket, to: Socket) {
    this.#from = from
    this.#to = to
    from.on("data", (bytes) => this.#take(typeof bytes === "string" ? Buffer.from(bytes) : bytes))
    from.on("end", () => this.#take(undefined))
    // The receiver reads again.
    to.on("drain", () => {
      if (this.#waiting < MAX_WAITING) from.resume()
    })
  }

  setPace(pace: Pace): void {
    this.#pace = pace
    this.#schedule()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#queue = []
  }

  #take(bytes: Buffer | undefined): void {
    if (this.#pace === "free" && this.#queue.length === 0) {
      this.#write(bytes)
      return
    }
    this.#waiting += bytes?.length ?? 0
    const latency = typeof this.#pace === "object" ? this.#pace.latencyMs : 0
    const dueAt = performance.now() + latency
    if (bytes === undefined) this.#queue.push({ bytes, dueAt })
    else for (let at = 0; at < bytes.length; at += PIECE) this.#queue.push({ bytes: bytes.subarray(at, at + PIECE), dueAt })
    if (this.#waiting >= MAX_WAITING) this.#from.pause()
    this.#schedule()
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (;;) {
      const [piece] = this.#queue
      if (piece === undefined || this.#pace === "stopped") return
      const wait = typeof this.#pace === "object" ? Math.max(piece.dueAt, this.#busyUntil) - performance.now() : 0
      if (wait > 0.5) {
        this.#timer = setTimeout(() => this.#schedule(), wait)
        return
      }
      this.#queue.shift()
      const length = piece.bytes?.length ?? 0
      this.#waiting -= length
      if (typeof this.#pace === "object") {
        this.#busyUntil = Math.max(this.#busyUntil, performance.now()) + (length * 1_000) / this.#pace.bytesPerSecond
      }
      this.#write(piece.bytes)
      if (this.#waiting < MAX_WAITING && !this.#to.writableNeedDrain) this.#from.resume()
    }
  }

  #write(bytes: Buffer | undefined): void {
    if (this.#to.destroyed) return
    if (bytes === undefined) this.#to.end()
    else if (!this.#to.write(bytes)) this.#from.pause()
  }
}
