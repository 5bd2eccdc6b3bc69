/**
 * What a customer's limits look like in the headers of an answer: structured fields of draft-ietf-httpapi-ratelimit-headers-11. Policy
 * "second" is the key's rate, "month" the account's quota. Counts nothing.
 */
import type { Customer } from "@matchpoint/domain/accounts"
import type { LedgerClock } from "./LedgerClock.ts"

export interface RateLimitHeaders {
  "ratelimit-policy": string
  ratelimit: string
}

/** Of one account's answers, one after another: what is agreed is written once. */
export class LimitHeaders {
  readonly #clock: LedgerClock
  #perSecond = 0
  #perMonth = 0
  #periodSeconds = 0
  #policy = ""

  constructor(clock: LedgerClock) {
    this.#clock = clock
  }

  /** Adds them to the answer's. `moment` as Meter's; what is left of the rate and of the month's quota. */
  write(
    headers: Partial<RateLimitHeaders>,
    { requestsPerMonth, requestsPerSecond }: Customer,
    moment: number,
    leftOfSecond: number,
    leftOfMonth: number,
  ): void {
    const now = this.#clock.now(moment)
    const periodSeconds = this.#clock.periodSeconds(now)
    if (requestsPerSecond !== this.#perSecond || requestsPerMonth !== this.#perMonth || periodSeconds !== this.#periodSeconds) {
      this.#perSecond = requestsPerSecond
      this.#perMonth = requestsPerMonth
      this.#periodSeconds = periodSeconds
      this.#policy = `"second";q=${requestsPerSecond};w=1, "month";q=${requestsPerMonth};w=${periodSeconds}`
    }
    headers["ratelimit-policy"] = this.#policy
    headers.ratelimit = `"second";r=${leftOfSecond};t=1, "month";r=${leftOfMonth};t=${this.#clock.secondsToPeriodEnd(now)}`
  }
}
