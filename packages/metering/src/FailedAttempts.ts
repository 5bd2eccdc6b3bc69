/**
 * Failed attempts by address, each of which expires after a while. Bounded: above `capacity` addresses, the one whose
 * last failure is oldest is dropped. Has no clock of its own; all times are in milliseconds.
 */
export class FailedAttempts {
  readonly #atMost: number
  readonly #forgetAfterMs: number
  readonly #capacity: number
  /** Time at which all failures of an address have expired, ordered by last failure. */
  readonly #until = new Map<string, number>()

  constructor(options: { readonly atMost: number; readonly forgetAfterMs: number; readonly capacity: number }) {
    this.#atMost = options.atMost
    this.#forgetAfterMs = options.forgetAfterMs
    this.#capacity = options.capacity
  }

  /** Milliseconds until the next attempt of the address is accepted; 0 if it is accepted now. */
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
