/**
 * Estimates the time by the log's clock, and never runs ahead of it: the last time that the log reported plus the
 * monotonic time since then. Does not depend on the wall clock of this machine.
 */
export class LogClock {
  /** In milliseconds. */
  readonly #monotonic: () => number
  /** Log time minus monotonic time, in milliseconds. Undefined until the log has reported its time. */
  #offset: number | undefined

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /**
   * Time by the log's clock or slightly earlier, in epoch milliseconds. Undefined until the log has reported its time.
   */
  get now(): number | undefined {
    return this.#offset === undefined ? undefined : this.#monotonic() + this.#offset
  }

  /** The log's clock has reached at least the append time of a received record. */
  advanceTo(appendedAt: number): void {
    const offset = appendedAt - this.#monotonic()
    if (this.#offset === undefined || offset > this.#offset) this.#offset = offset
  }

  /** `now` is a time that the log has just reported. If its clock was set back, this one follows. */
  set(now: number): void {
    this.#offset = now - this.#monotonic()
  }
}
