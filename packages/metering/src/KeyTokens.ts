/**
 * Rate limit tokens that this gateway holds for one API key. One token allows one request. Tokens are fetched from a
 * bucket shared by all gateways, several at a time, and cached for some seconds. Performs no IO. Times are milliseconds
 * of the monotonic clock.
 */

/**
 * How long unused tokens are cached before they are discarded, in milliseconds. The time is long because a fetch costs
 * more than all other metering of a request; for a key that makes ten requests per second, 250 tokens last 25 seconds.
 * Caching does not raise the request rate, because the tokens were already taken from the shared bucket. It only allows
 * a burst that is larger by the tokens of one fetch.
 */
export const KEEP_MS = 30_000

export class KeyTokens {
  readonly requestsPerSecond: number
  #tokens = 0
  /** Estimated number of tokens in the shared bucket at the time of the last call of `look`. */
  #left: number
  isFetching = false
  /**
   * Number of tokens in the shared bucket according to its last response. `#fetchedAt` is the time of that response.
   */
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
   * Updates the estimates to the time `now`. Call this before any other method, and at least once per second during
   * use. The other methods then need not read the clock for each request.
   */
  look(now: number): void {
    const age = now - this.#fetchedAt
    if (age > KEEP_MS) this.#tokens = 0
    this.#left = Math.floor(this.#leftThen + (age / 1_000) * this.requestsPerSecond)
  }

  /** Takes one cached token without waiting. Returns false if this gateway has none. */
  take(): boolean {
    if (this.#tokens <= 0) return false
    this.#tokens -= 1
    return true
  }

  /** Approximate number of requests that may be made with the key now. */
  get remaining(): number {
    return Math.min(this.requestsPerSecond, this.#left + this.#tokens)
  }

  /** Adds tokens that were taken from the shared bucket. `left` is the number of tokens remaining in that bucket. */
  received(tokens: number, left: number, now: number): void {
    this.look(now)
    this.#tokens += tokens
    this.#bucketHas(left, now)
  }

  /**
   * Records that the shared bucket did not have enough tokens and will not have enough for another `waitMs`
   * milliseconds.
   */
  refused(waitMs: number, now: number): void {
    this.look(now)
    this.#refusedUntil = now + waitMs
    this.#bucketHas(0, now)
  }

  /** Returns the number of milliseconds until the shared bucket is expected to have enough tokens again. */
  refusedFor(now: number): number {
    return Math.max(0, this.#refusedUntil - now)
  }

  /**
   * Returns true if no fetch is in progress and the last response of the shared bucket is more than `ms` milliseconds
   * old. If the result is true for `KEEP_MS`, all cached tokens of the key have expired.
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
