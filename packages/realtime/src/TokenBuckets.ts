/**
 * Token buckets by key: `perSecond` tokens a second, at most `burst` saved up. Bounded: of more keys than it holds it forgets those
 * that have not been seen for longest, and a full bucket is what a stranger gets. No clock of its own.
 */
interface Bucket {
  tokens: number
  at: number
}

export class TokenBuckets {
  readonly #perSecond: number
  readonly #burst: number
  readonly #capacity: number
  /** In the order in which they were seen last. */
  readonly #buckets = new Map<string, Bucket>()

  constructor(options: { readonly perSecond: number; readonly burst: number; readonly capacity: number }) {
    this.#perSecond = options.perSecond
    this.#burst = options.burst
    this.#capacity = options.capacity
  }

  /** Takes one token at `now` (ms). False: there is none. A clock that goes back gives nothing and takes nothing. */
  take(key: string, now: number): boolean {
    const bucket = this.#buckets.get(key) ?? { tokens: this.#burst, at: now }
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    bucket.tokens = Math.min(this.#burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1_000) * this.#perSecond)
    bucket.at = now
    if (this.#buckets.size > this.#capacity) {
      for (const oldest of this.#buckets.keys()) {
        this.#buckets.delete(oldest)
        break
      }
    }
    if (bucket.tokens < 1) return false
    bucket.tokens -= 1
    return true
  }
}
