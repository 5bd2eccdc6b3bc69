/**
 * Estimates the current time of the stream. Timestamps in match documents come from the feed's clock, from which the
 * browser's may differ by minutes, and a delayed plan receives data late on purpose. The offset is therefore measured:
 * the smallest difference between the local time at which a new change arrives and the timestamp of the change. It
 * includes the offset between the clocks, the delay of the plan and the shortest network latency.
 */

const SAMPLES = 60

export class StreamClock {
  /** Local time minus stream time of the newest updates, in milliseconds. */
  #samples: Array<number> = []
  /** Local minus server time in milliseconds, until the first new change: from the header `Date`, to the second. */
  #rough = 0

  /** Both times are in epoch milliseconds. */
  readDateHeader(serverTime: number, localTime: number) {
    this.#rough = localTime - (serverTime + 500)
    this.#samples = []
  }

  /** Only for changes that have just happened, not for snapshots. `localTime` is in epoch milliseconds. */
  readUpdate(observedAt: string, localTime: number) {
    const difference = localTime - Date.parse(observedAt)
    if (Number.isNaN(difference)) return
    this.#samples.push(difference)
    if (this.#samples.length > SAMPLES) this.#samples.shift()
  }

  /** Stream time in epoch milliseconds. `delaySeconds` is the delay of the caller's plan. */
  now(delaySeconds: number) {
    const offset = this.#samples.length > 0 ? Math.min(...this.#samples) : this.#rough + delaySeconds * 1000
    // biome-ignore lint/plugin: the result is a stamp by the clock of the stream
    return Date.now() - offset
  }
}
