/**
 * Estimates the current time of the stream. Timestamps in match documents come from the feed's clock. The browser's
 * clock may differ from it by minutes, and a delayed plan lags behind on purpose. The offset is therefore measured: it
 * is the smallest difference between the local clock and the timestamp of a new change. This difference includes the
 * offset between the clocks, the delay of the plan and the shortest network latency.
 */

const SAMPLES = 60

export class StreamClock {
  /** Local time minus stream time for each of the newest updates, in milliseconds. */
  #samples: Array<number> = []
  /**
   * Local time minus server time in milliseconds, used until the first new change arrives. It is estimated from the
   * `Date` header of a response, which has a resolution of one second.
   */
  #rough = 0

  /** Estimates the offset from the `Date` header of a response. Both times are in epoch milliseconds. */
  readDateHeader(serverTime: number, localTime: number) {
    this.#rough = localTime - (serverTime + 500)
    this.#samples = []
  }

  /**
   * Measures the offset from the timestamp of a change. Must be called only for new changes, because a snapshot may be
   * old. `localTime` is in epoch milliseconds.
   */
  readUpdate(observedAt: string, localTime: number) {
    const difference = localTime - Date.parse(observedAt)
    if (Number.isNaN(difference)) return
    this.#samples.push(difference)
    if (this.#samples.length > SAMPLES) this.#samples.shift()
  }

  /** Returns the current stream time in epoch milliseconds. `delaySeconds` is the delay of the caller's plan. */
  now(delaySeconds: number) {
    const offset = this.#samples.length > 0 ? Math.min(...this.#samples) : this.#rough + delaySeconds * 1000
    return Date.now() - offset
  }
}
