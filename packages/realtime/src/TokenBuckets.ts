/**
 * Token buckets by key: `perSecond` tokens a second, at most `burst` saved up. Bounded: of more keys than it holds it forgets those
 * that have not been seen for longest, and a full bucket is what a stranger gets. No clock of its own.
 */
export class TokenBucket {
  #tokens: number
  #at: number

  constructor(burst: number, now: number) {
    this.#tokens = burst
    this.#at = now
  }

  /** Takes one token at `now` (ms). False: there is none. A clock that goes back gives nothing and takes nothing. */
  take(now: number, perSecond: number, burst: number): boolean {
    if (!this.has(now, perSecond, burst)) return false
    this.#tokens -= 1
    return true
  }

  /** Whether `take` would get one. */
  has(now: number, perSecond: number, burst: number): boolean {
    this.#tokens = Math.min(burst, this.#tokens + (Math.max(0, now - this.#at) / 1_000) * perSecond)
    this.#at = now
    return this.#tokens >= 1
  }
}

export class TokenBuckets {
  readonly #perSecond: number
  readonly #burst: number
  readonly #capacity: number
  /** In the order in which they were seen last. */
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(options: { readonly perSecond: number; readonly burst: number; readonly capacity: number }) {
    this.#perSecond = options.perSecond
    this.#burst = options.burst
    this.#capacity = options.capacity
  }

  /** Takes one token at `now` (ms). False: there is none. A clock that goes back gives nothing and takes nothing. */
  take(key: string, now: number): boolean {
    const bucket = this.#buckets.get(key) ?? new TokenBucket(this.#burst, now)
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    if (this.#buckets.size > this.#capacity) {
      for (const oldest of this.#buckets.keys()) {
        this.#buckets.delete(oldest)
        break
      }
    }
    return bucket.take(now, this.#perSecond, this.#burst)
  }

  /** Whether `take` would get one. Who only asks is not remembered. */
  has(key: string, now: number): boolean {
    return this.#buckets.get(key)?.has(now, this.#perSecond, this.#burst) ?? true
  }
}
