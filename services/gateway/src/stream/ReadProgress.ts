/**
 * Finds out whether the client of a WebSocket reads what is published to it. The kernel takes megabytes for a client that
 * reads nothing before the first send fails, and passing them to it costs as much as sending them to a client that reads.
 * Therefore a client is asked for an answer (a ping, which every WebSocket client answers by itself) from time to time.
 * Pure.
 */

/**
 * Bytes published since the last answer after which the client is asked for one. They double with each answer, up to half
 * of what the kernel takes: with a ping after every 64 KB, pings alone took 2 % of the CPU at 1,000 clients of 200 KB/s.
 */
const ASK_AFTER_BYTES = 64 * 1024
const ASK_AFTER_AT_MOST_BYTES = 2 * 1024 * 1024
/** A client has stopped reading only if at least these bytes wait for it. */
const UNREAD_BYTES = 256 * 1024

export class ReadProgress {
  /** Bytes that the client has read for certain. */
  #read = 0
  /** Bytes that had been published when the client was asked, and the time. */
  #askedAtBytes = 0
  #askedAt: number | undefined
  #stopped = false
  #askAfterBytes = ASK_AFTER_BYTES

  /**
   * Returns what to do about a client to which `published` bytes were published so far: `ask` it for an answer, or treat
   * it as one that has `stopped` reading, which is returned once until it answers. A client is asked again if an answer is
   * late, because a ping may have been dropped while the buffer of the connection was full. `now` is in milliseconds of a
   * monotonic clock, and `patienceMs` is how long an answer may take.
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

  /** Records an answer of the client. Returns true if the client had stopped reading and reads again. */
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
