/**
 * Failed attempts by network address. Each expires after a fixed time. Above `capacity` addresses, the one with the
 * oldest last failure is removed. Reads no clock; times in milliseconds.
 */
import { boundedCache } from "@matchpoint/domain/boundedCache"
import { LRUCache } from "lru-cache"

export class FailedAttempts {
  readonly #atMost: number
  readonly #forgetAfterMs: number
  /** When all failures of the address have expired. Only a further failure delays the eviction, reading does not. */
  readonly #until: LRUCache<string, number>

  constructor(options: { readonly atMost: number; readonly forgetAfterMs: number; readonly capacity: number }) {
    this.#atMost = options.atMost
    this.#forgetAfterMs = options.forgetAfterMs
    this.#until = new LRUCache(boundedCache(options.capacity))
  }

  /** Milliseconds until the next attempt is allowed, 0 for now. */
  waitOf(address: string, now: number): number {
    const until = this.#until.peek(address) ?? now
    return Math.max(0, until - now - (this.#atMost - 1) * this.#forgetAfterMs)
  }

  failed(address: string, now: number): void {
    this.#until.set(address, Math.max(now, this.#until.peek(address) ?? now) + this.#forgetAfterMs)
  }
}
