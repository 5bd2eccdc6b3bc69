/**
 * The time at the stream's end of the wire. Clocks in the documents run by the feed's clock; this browser's may be minutes off, and
 * a delayed plan is behind on purpose. So "now" is learned from what arrives: the smallest difference between our clock and the
 * time a fresh update was observed holds the clocks' difference and the delay, with the least of the network in it.
 */

const SAMPLES = 60

export class StreamClock {
  /** Local minus stream time of the newest updates, ms. */
  #samples: Array<number> = []
  /** Until updates come: from the `Date` header of an answer (whole seconds) and the plan's delay. */
  #rough = 0

  /**
   * `serverTime`: epoch ms
   * `localTime`: epoch ms
   */
  readDateHeader(serverTime: number, localTime: number) {
    this.#rough = localTime - (serverTime + 500)
    this.#samples = []
  }

  /**
   * Only for updates as they happen: a snapshot may be old.
   * `localTime`: epoch ms
   */
  readUpdate(observedAt: string, localTime: number) {
    const difference = localTime - Date.parse(observedAt)
    if (Number.isNaN(difference)) return
    this.#samples.push(difference)
    if (this.#samples.length > SAMPLES) this.#samples.shift()
  }

  /**
   * Epoch ms by the stream's clock.
   * `delaySeconds`: how far the channel runs behind
   */
  now(delaySeconds: number) {
    const offset = this.#samples.length > 0 ? Math.min(...this.#samples) : this.#rough + delaySeconds * 1000
    return Date.now() - offset
  }
}
