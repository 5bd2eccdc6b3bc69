/**
 * Estimate of the log's clock that is never ahead of it, whatever this machine's wall clock shows. It keeps the last
 * time that the log reported and adds the monotonic time since then.
 */
export class LogClock {
  /** Monotonic time in milliseconds. */
  readonly #monotonic: () => number
  /** Log time minus monotonic time, ms. Undefined until the log has reported its time. */
  #offset: number | undefined

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** Current log time or slightly earlier, epoch ms. Undefined until the log has reported its time. */
  get now(): number | undefined {
    return this.#offset === undefined ? undefined : this.#monotonic() + this.#offset
  }

  /** Records the append time of a received record. The log's clock has reached at least that time. */
  heard(appendedAt: number): void {
    const offset = appendedAt - this.#monotonic()
    if (this.#offset === undefined || offset > this.#offset) this.#offset = offset
  }

  /**
   * Sets the clock to a time that the log has just reported. Works in both directions: if the log's clock was set back,
   * so is this one.
   */
  set(now: number): void {
    this.#offset = now - this.#monotonic()
  }
}
