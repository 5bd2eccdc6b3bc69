/** The tokens of one key that are at this gateway: fetched several at a time, kept for seconds. Plain data; times are monotonic ms. */

/**
 * Tokens that were not used for as long are not kept. They were paid for, so that keeping them gives nobody more; it lets a key burst by one
 * fetch further, and asking costs more than all else of a request's metering: 250 tokens of a key that calls ten times a second last for
 * 25 seconds.
 */
export const KEEP_MS = 30_000

export class KeyRate {
  readonly requestsPerSecond: number
  #tokens = 0
  /** In the shared bucket, when it was last looked at. */
  #left: number
  isFetching = false
  /** What the shared bucket said last, and when. */
  #leftThen: number
  #fetchedAt: number
  #refusedUntil = 0

  constructor(requestsPerSecond: number, now: number) {
    this.requestsPerSecond = requestsPerSecond
    this.#left = requestsPerSecond
    this.#leftThen = requestsPerSecond
    this.#fetchedAt = now
  }

  /** To be called before the others, at least every second that it is used in: so a request need not look at the time. */
  look(now: number): void {
    const age = now - this.#fetchedAt
    if (age > KEEP_MS) this.#tokens = 0
    this.#left = Math.floor(this.#leftThen + (age / 1_000) * this.requestsPerSecond)
  }

  /** One request, at once. False: there is no token here. */
  take(): boolean {
    if (this.#tokens <= 0) return false
    this.#tokens -= 1
    return true
  }

  /** Requests the key may send now, about. */
  get remaining(): number {
    return Math.min(this.requestsPerSecond, this.#left + this.#tokens)
  }

  /** The shared bucket gave `tokens`, and has `left`. */
  received(tokens: number, left: number, now: number): void {
    this.look(now)
    this.#tokens += tokens
    this.#bucketHas(left, now)
  }

  /** It has too few; `waitMs` until there will be enough. */
  refused(waitMs: number, now: number): void {
    this.look(now)
    this.#refusedUntil = now + waitMs
    this.#bucketHas(0, now)
  }

  /** It is known to have too few for as long, ms. */
  refusedFor(now: number): number {
    return Math.max(0, this.#refusedUntil - now)
  }

  /** It was not used for so long that nothing of it counts. */
  isOlderThan(ms: number, now: number): boolean {
    return !this.isFetching && now - this.#fetchedAt > ms
  }

  #bucketHas(left: number, now: number): void {
    this.#left = left
    this.#leftThen = left
    this.#fetchedAt = now
  }
}
