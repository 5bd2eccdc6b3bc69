/**
 * Counts failed attempts by network address. Each failure expires after a fixed time. Memory is bounded: if there are
 * more than `capacity` addresses, the one whose last failure is oldest is removed. Does not read a clock; callers pass
 * all times in milliseconds.
 */
export class FailedAttempts {
  readonly #atMost: number
  readonly #forgetAfterMs: number
  readonly #capacity: number
  /**
   * For each address, the time at which all of its failures will have expired. The entries are in the order of the last
   * failure.
   */
  readonly #until = new Map<string, number>()

  constructor(options: { readonly atMost: number; readonly forgetAfterMs: number; readonly capacity: number }) {
    this.#atMost = options.atMost
    this.#forgetAfterMs = options.forgetAfterMs
    this.#capacity = options.capacity
  }

  /** Returns the number of milliseconds until the address may make its next attempt, or 0 if it may do so now. */
  waitOf(address: string, now: number): number {
    const until = this.#until.get(address) ?? now
    return Math.max(0, until - now - (this.#atMost - 1) * this.#forgetAfterMs)
  }

  failed(address: string, now: number): void {
    const until = Math.max(now, this.#until.get(address) ?? now) + this.#forgetAfterMs
    this.#until.delete(address)
    this.#until.set(address, until)
    if (this.#until.size <= this.#capacity) return
    for (const oldest of this.#until.keys()) {
      this.#until.delete(oldest)
      break
    }
  }
}
