/** The tokens of one key that are at this gateway: fetched several at a time, kept for seconds. Plain data; times are monotonic ms. */

/**
 * Tokens that were not used for as long are not kept. They were paid for, so that keeping them gives nobody more; it lets a key burst by one
 * fetch further, and asking costs more than all else of a request's metering: a key that calls ten times a second asks every five seconds.
 */
export const KEEP_MS = 5_000

export class KeyRate {
  readonly requestsPerSecond: number
  tokens = 0
  /** Left in the shared bucket when it answered last. */
  left: number
  fetchedAt: number
  usedAt: number
  refusedUntil = 0
  isFetching = false

  constructor(requestsPerSecond: number, now: number) {
    this.requestsPerSecond = requestsPerSecond
    this.left = requestsPerSecond
    this.fetchedAt = now
    this.usedAt = now
  }

  /** One request, at once. False: there is no token here. */
  take(now: number): boolean {
    if (this.tokens <= 0 || now - this.fetchedAt > KEEP_MS) return false
    this.usedAt = now
    this.tokens -= 1
    return true
  }

  /** Requests the key may send now, about: as of its last request. */
  get remaining(): number {
    const refilled = ((this.usedAt - this.fetchedAt) / 1_000) * this.requestsPerSecond
    return Math.min(this.requestsPerSecond, Math.floor(this.left + this.tokens + refilled))
  }
}
