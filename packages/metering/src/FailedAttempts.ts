/**
 * Counts failed attempts by network address. Each failure expires after a fixed time. Memory is bounded: if there are
 * more than `capacity` addresses, the one whose last failure is oldest is removed. Does not read a clock; callers pass
 * all times in milliseconds.
 */
import { boundedCache } from "@matchpoint/domain/boundedCache"
import { LRUCache } from "lru-cache"

export class FailedAttempts {
  readonly #atMost: number
  readonly #forgetAfterMs: number
  /**
   * For each address, the time at which all of its failures will have expired. Reading an entry does not delay its
   * eviction; only a further failure does.
   */
  readonly #until: LRUCache<string, number>

  constructor(options: { readonly atMost: number; readonly forgetAfterMs: number; readonly capacity: number }) {
    this.#atMost = options.atMost
    this.#forgetAfterMs = options.forgetAfterMs
    this.#until = new LRUCache(boundedCache(options.capacity))
  }

  /** Returns the number of milliseconds until the address may make its next attempt, or 0 if it may do so now. */
  waitOf(address: string, now: number): number {
    const until = this.#until.peek(address) ?? now
    return Math.max(0, until - now - (this.#atMost - 1) * this.#forgetAfterMs)
  }

  failed(address: string, now: number): void {
    this.#until.set(address, Math.max(now, this.#until.peek(address) ?? now) + this.#forgetAfterMs)
  }
}
