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

/** Of one account's answers, one after another: what is the same for all answers of a second is written once. */
export class LimitHeaders {
  readonly #clock: LedgerClock
  #perSecond = 0
  #perMonth = 0
  /** The moments for which the texts are right. */
  #from = Number.POSITIVE_INFINITY
  #to = Number.NEGATIVE_INFINITY
  #policy = ""
  #untilReset = ""

  constructor(clock: LedgerClock) {
    this.#clock = clock
  }

  /** Adds them to the answer's. `moment` as Meter's; what is left of the rate and of the month's quota. */
  write(headers: Partial<RateLimitHeaders>, customer: Customer, moment: number, leftOfSecond: number, leftOfMonth: number): void {
    const { requestsPerMonth, requestsPerSecond } = customer
    const isSame = requestsPerSecond === this.#perSecond && requestsPerMonth === this.#perMonth
    if (!isSame || moment < this.#from || moment >= this.#to) this.#renew(customer, moment)
    headers["ratelimit-policy"] = this.#policy
    headers.ratelimit = `"second";r=${leftOfSecond};t=1, "month";r=${leftOfMonth}${this.#untilReset}`
  }

  #renew({ requestsPerMonth, requestsPerSecond }: Customer, moment: number): void {
    const now = this.#clock.now(moment)
    const seconds = this.#clock.secondsToPeriodEnd(now)
    this.#perSecond = requestsPerSecond
    this.#perMonth = requestsPerMonth
    this.#from = moment
    this.#to = moment + Math.max(0, this.#clock.periodEnd(now) - (seconds - 1) * 1_000 - now)
    this.#policy = `"second";q=${requestsPerSecond};w=1, "month";q=${requestsPerMonth};w=${this.#clock.periodSeconds(now)}`
    this.#untilReset = `;t=${seconds}`
  }
}
