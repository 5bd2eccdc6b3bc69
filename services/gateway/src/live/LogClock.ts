/**
 * The log's clock as a gateway knows it: never ahead of the log's own, whatever the gateway's wall clock says. It holds what the log said last
 * and counts on from there by a clock that never jumps.
 */
export class LogClock {
  /** Milliseconds that never jump. */
  readonly #monotonic: () => number
  /** Log time minus monotonic time, ms. Undefined: the log has said nothing yet. */
  #offset: number | undefined

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** Epoch ms by the log's clock, or earlier. Undefined before the log has said anything. */
  get now(): number | undefined {
    return this.#offset === undefined ? undefined : this.#monotonic() + this.#offset
  }

  /** A record that the log took at `appendedAt` is here: the log's clock is at least there. */
  heard(appendedAt: number): void {
    const offset = appendedAt - this.#monotonic()
    if (this.#offset === undefined || offset > this.#offset) this.#offset = offset
  }

  /** The log was asked, and this was its time when it answered. Counts in both directions: a clock that went back did go back. */
  set(now: number): void {
    this.#offset = now - this.#monotonic()
  }
}
