/**
 * The time of the stream. Times in documents are by the feed's clock; the browser's may be minutes off, and a delayed plan is behind on
 * purpose. The offset is measured: the smallest difference between the local clock and the time of a new change includes the difference of
 * the clocks, the delay, and the least of the network.
 */

const SAMPLES = 60

export class StreamClock {
  /** Local minus stream time of the newest updates, ms. */
  #samples: Array<number> = []
  /** Offset until a new change arrives: from the `Date` header of an answer, whole seconds. */
  #rough = 0

  /** Both times: epoch ms. */
  readDateHeader(serverTime: number, localTime: number) {
    this.#rough = localTime - (serverTime + 500)
    this.#samples = []
  }

  /** For new changes only: a snapshot may be old. `localTime`: epoch ms. */
  readUpdate(observedAt: string, localTime: number) {
    const difference = localTime - Date.parse(observedAt)
    if (Number.isNaN(difference)) return
    this.#samples.push(difference)
    if (this.#samples.length > SAMPLES) this.#samples.shift()
  }

  /** Epoch ms by the stream's clock. `delaySeconds`: delay of the plan. */
  now(delaySeconds: number) {
    const offset = this.#samples.length > 0 ? Math.min(...this.#samples) : this.#rough + delaySeconds * 1000
    return Date.now() - offset
  }
}
