/**
 * Failed attempts by address, each of which expires after a while. Bounded: above `capacity` addresses, the one whose
 * last failure is oldest is dropped. Has no clock of its own; all times are in milliseconds.
 */
import { LRUCache } from "lru-cache"

export class FailedAttempts {
  readonly #atMost: number
  readonly #forgetAfterMs: number
  /** Time at which all failures of an address have expired. Only failures count as use. */
  readonly #until: LRUCache<string, number>

  constructor(options: { readonly atMost: number; readonly forgetAfterMs: number; readonly capacity: number }) {
    this.#atMost = options.atMost
    this.#forgetAfterMs = options.forgetAfterMs
    this.#until = new LRUCache({ max: options.capacity })
  }

  /** Milliseconds until the next attempt of the address is accepted; 0 if it is accepted now. */
  waitOf(address: string, now: number): number {
    const until = this.#until.peek(address) ?? now
    return Math.max(0, until - now - (this.#atMost - 1) * this.#forgetAfterMs)
  }

  failed(address: string, now: number): void {
    this.#until.set(address, Math.max(now, this.#until.peek(address) ?? now) + this.#forgetAfterMs)
  }
}
