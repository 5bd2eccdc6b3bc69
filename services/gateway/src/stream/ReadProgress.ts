/**
 * Whether a WebSocket client reads what is published to it. The kernel takes megabytes for a client that reads nothing
 * before the first send fails, at the cost of sending them. Therefore a client is pinged from time to time; every
 * WebSocket client answers by itself. Pure.
 */

/**
 * Bytes since the last answer after which the client is pinged. They double with each answer, up to half of what the
 * kernel takes: with a ping every 64 KB, pings alone took 2 % of the CPU at 1,000 clients of 200 KB/s.
 */
const ASK_AFTER_BYTES = 64 * 1024
const ASK_AFTER_AT_MOST_BYTES = 2 * 1024 * 1024
/** A client has stopped reading only if at least these bytes wait for it. */
const UNREAD_BYTES = 256 * 1024

export class ReadProgress {
  /** Bytes that the client has read for certain. */
  #read = 0
  /** Bytes published when the client was asked, and the time. */
  #askedAtBytes = 0
  #askedAt: number | undefined
  #stopped = false
  #askAfterBytes = ASK_AFTER_BYTES

  /**
   * What to do about a client to which `published` bytes were published: `ask` it for an answer, or treat it as one
   * that has `stopped` reading, which is returned once until it answers. Asks again if an answer is late: a ping may
   * have been dropped while the buffer was full. `now` in monotonic milliseconds; `patienceMs` is how long an answer
   * may take.
   */
  check(published: number, now: number, patienceMs: number): "ask" | "stopped" | undefined {
    const unread = published - this.#read
    if (this.#askedAt === undefined) {
      if (unread < this.#askAfterBytes) return undefined
      this.#askedAt = now
      this.#askedAtBytes = published
      return "ask"
    }
    if (now - this.#askedAt < patienceMs) return undefined
    this.#askedAt = now
    if (this.#stopped || unread < UNREAD_BYTES) return "ask"
    this.#stopped = true
    this.#askAfterBytes = ASK_AFTER_BYTES
    return "stopped"
  }

  /** Returns true if the client had stopped reading and reads again. */
  answered(): boolean {
    const wasStopped = this.#stopped
    this.#stopped = false
    if (this.#askedAt !== undefined) {
      this.#read = this.#askedAtBytes
      if (!wasStopped) this.#askAfterBytes = Math.min(2 * this.#askAfterBytes, ASK_AFTER_AT_MOST_BYTES)
    }
    this.#askedAt = undefined
    return wasStopped
  }
}
