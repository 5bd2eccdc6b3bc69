/**
 * Estimates the time by the log's clock, and never runs ahead of that clock. The estimate is the last time that the log
 * reported plus the monotonic time since then, so it does not depend on the wall clock of this machine.
 */
export class LogClock {
  /** Monotonic time in milliseconds. */
  readonly #monotonic: () => number
  /** Log time minus monotonic time, in milliseconds. Undefined until the log has reported its time. */
  #offset: number | undefined

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /**
   * Current time by the log's clock or slightly earlier, in epoch milliseconds. Undefined until the log has reported
   * its time.
   */
  get now(): number | undefined {
    return this.#offset === undefined ? undefined : this.#monotonic() + this.#offset
  }

  /**
   * Advances the clock to the append time of a received record, because the log's clock has reached at least that time.
   */
  advanceTo(appendedAt: number): void {
    const offset = appendedAt - this.#monotonic()
    if (this.#offset === undefined || offset > this.#offset) this.#offset = offset
  }

  /**
   * Sets the clock to a time that the log has just reported, forwards or backwards: if the log's clock was set back,
   * this clock follows.
   */
  set(now: number): void {
    this.#offset = now - this.#monotonic()
  }
}
