/**
 * Rate limit tokens (one per request) that this gateway holds for one API key. They are fetched several at a time from
 * a bucket shared by all gateways, and cached for some seconds. Performs no IO. Times are monotonic milliseconds.
 */

/**
 * How long unused tokens are cached. A fetch costs more than all other metering of a request; at ten requests per
 * second, 250 tokens last 25 seconds. Caching does not raise the request rate, because the tokens were taken from the
 * shared bucket. It only allows a burst that is larger by the tokens of one fetch.
 */
export const KEEP_MS = 30_000

export class KeyTokens {
  readonly requestsPerSecond: number
  #tokens = 0
  /** Estimate for the shared bucket as of the last `look`. */
  #left: number
  isFetching = false
  /** Tokens in the shared bucket as of its last response, at `#fetchedAt`. */
  #leftThen: number
  #fetchedAt: number
  #refusedUntil = 0

  constructor(requestsPerSecond: number, now: number) {
    this.requestsPerSecond = requestsPerSecond
    this.#left = requestsPerSecond
    this.#leftThen = requestsPerSecond
    this.#fetchedAt = now
  }

  /** Updates the estimates. Call it first, at least once per second during use: other methods then read no clock. */
  look(now: number): void {
    const age = now - this.#fetchedAt
    if (age > KEEP_MS) this.#tokens = 0
    this.#left = Math.floor(this.#leftThen + (age / 1_000) * this.requestsPerSecond)
  }

  take(): boolean {
    if (this.#tokens <= 0) return false
    this.#tokens -= 1
    return true
  }

  get remaining(): number {
    return Math.min(this.requestsPerSecond, this.#left + this.#tokens)
  }

  /** `left` is the number of tokens remaining in the shared bucket. */
  received(tokens: number, left: number, now: number): void {
    this.look(now)
    this.#tokens += tokens
    this.#bucketHas(left, now)
  }

  /** The shared bucket will not have enough tokens for another `waitMs`. */
  refused(waitMs: number, now: number): void {
    this.look(now)
    this.#refusedUntil = now + waitMs
    this.#bucketHas(0, now)
  }

  /** Milliseconds until the shared bucket is expected to have enough tokens. */
  refusedFor(now: number): number {
    return Math.max(0, this.#refusedUntil - now)
  }

  /**
   * No fetch is in progress and the last response is that old. If true for `KEEP_MS`, all cached tokens have expired.
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
