/**
 * Failures by address, each forgotten after a while. Bounded: of more addresses than it holds it forgets those that failed longest ago.
 * No clock of its own; times are ms.
 */
export class FailedAttempts {
  readonly #atMost: number
  readonly #forgetAfterMs: number
  readonly #capacity: number
  /** Until when an address's failures are all forgotten, in the order of the last failure. */
  readonly #until = new Map<string, number>()

  constructor(options: { readonly atMost: number; readonly forgetAfterMs: number; readonly capacity: number }) {
    this.#atMost = options.atMost
    this.#forgetAfterMs = options.forgetAfterMs
    this.#capacity = options.capacity
  }

  /** How long (ms) the address must wait before it is heard again; 0: it is heard. */
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
