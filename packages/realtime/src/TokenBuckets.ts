/**
 * Rate limits per key: a bucket gains `perSecond` tokens per second and holds at most `burst`. Above `capacity`, the
 * least recently used key is evicted. A new key starts with a full bucket. The caller passes the time.
 */
import { boundedCache } from "@matchpoint/domain/boundedCache"
import { LRUCache } from "lru-cache"

export class TokenBucket {
  #tokens: number
  #at: number

  constructor(burst: number, now: number) {
    this.#tokens = burst
    this.#at = now
  }

  /**
   * `now` in milliseconds. Returns false if there is no token. If the clock goes back, no tokens are added or removed.
   */
  take(now: number, perSecond: number, burst: number): boolean {
    if (!this.has(now, perSecond, burst)) return false
    this.#tokens -= 1
    return true
  }

  has(now: number, perSecond: number, burst: number): boolean {
    this.#tokens = Math.min(burst, this.#tokens + (Math.max(0, now - this.#at) / 1_000) * perSecond)
    this.#at = now
    return this.#tokens >= 1
  }
}

export class TokenBuckets {
  readonly #perSecond: number
  readonly #burst: number
  readonly #buckets: LRUCache<string, TokenBucket>

  constructor(options: { readonly perSecond: number; readonly burst: number; readonly capacity: number }) {
    this.#perSecond = options.perSecond
    this.#burst = options.burst
    this.#buckets = new LRUCache(boundedCache(options.capacity))
  }

  /** `now` in milliseconds. Returns false if the bucket of the key has no token. */
  take(key: string, now: number): boolean {
    let bucket = this.#buckets.get(key)
    if (bucket === undefined) {
      bucket = new TokenBucket(this.#burst, now)
      this.#buckets.set(key, bucket)
    }
    return bucket.take(now, this.#perSecond, this.#burst)
  }

  /** Does not create a bucket. */
  has(key: string, now: number): boolean {
    return this.#buckets.peek(key)?.has(now, this.#perSecond, this.#burst) ?? true
  }
}
