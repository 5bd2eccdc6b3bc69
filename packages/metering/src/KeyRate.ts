/**
 * The tokens of one key at this gateway: fetched several at a time and kept for seconds. Plain data; times are
 * monotonic milliseconds.
 */

/**
 * Milliseconds after which unused tokens are discarded. They were taken from the shared bucket, so keeping them does
 * not raise the rate; it only allows a burst that is one fetch larger. A fetch costs more than the rest of a request's
 * metering. For a key that calls ten times a second, 250 tokens last 25 seconds.
 */
export const KEEP_MS = 30_000

export class KeyRate {
  readonly requestsPerSecond: number
  #tokens = 0
  /** Tokens in the shared bucket, as estimated by the last call of `look`. */
  #left: number
  isFetching = false
  /** Tokens that the shared bucket last reported, and the time of that report. */
  #leftThen: number
  #fetchedAt: number
  #refusedUntil = 0

  constructor(requestsPerSecond: number, now: number) {
    this.requestsPerSecond = requestsPerSecond
    this.#left = requestsPerSecond
    this.#leftThen = requestsPerSecond
    this.#fetchedAt = now
  }

  /**
   * Updates the estimates to the time `now`. Call it before the other methods, at least once in every second of use. A
   * request then need not read the clock.
   */
  look(now: number): void {
    const age = now - this.#fetchedAt
    if (age > KEEP_MS) this.#tokens = 0
    this.#left = Math.floor(this.#leftThen + (age / 1_000) * this.requestsPerSecond)
  }

  /** Takes one token at once. Returns false if this gateway has none. */
  take(): boolean {
    if (this.#tokens <= 0) return false
    this.#tokens -= 1
    return true
  }

  /** Approximate number of requests that the key may send now. */
  get remaining(): number {
    return Math.min(this.requestsPerSecond, this.#left + this.#tokens)
  }

  /** Adds tokens taken from the shared bucket, which has `left` more. */
  received(tokens: number, left: number, now: number): void {
    this.look(now)
    this.#tokens += tokens
    this.#bucketHas(left, now)
  }

  /** Records that the shared bucket has too few tokens for the next `waitMs`. */
  refused(waitMs: number, now: number): void {
    this.look(now)
    this.#refusedUntil = now + waitMs
    this.#bucketHas(0, now)
  }

  /** Milliseconds for which the shared bucket is known to have too few tokens. */
  refusedFor(now: number): number {
    return Math.max(0, this.#refusedUntil - now)
  }

  /**
   * Returns true if the shared bucket was last asked more than `ms` ago. With `KEEP_MS`, all of the key's tokens have
   * then expired.
   */
  isOlderThan(ms: number, now: number): boolean {
    return !this.isFetching && now - this.#fetchedAt > ms
  }

  #bucketHas(left: number, now: number): void {
    this.#left = left
    this.#leftThen = left
    this.#fetchedAt = now
  }
}
