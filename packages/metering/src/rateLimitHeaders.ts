/**
 * What a customer's limits look like in the headers of an answer: structured fields of draft-ietf-httpapi-ratelimit-headers-11. Policy
 * "second" is the key's rate, "month" the account's quota. Counts nothing.
 */
import type { Customer } from "@matchpoint/domain/accounts"
import type { Standing } from "./Meter.ts"

export interface RateLimitHeaders {
  readonly "ratelimit-policy": string
  readonly ratelimit: string
}

export const rateLimitHeaders = (customer: Customer, secondRemaining: number, standing: Standing): RateLimitHeaders =>
  new LimitHeaders(customer).of(secondRemaining, standing)

/** The same for one customer's answers, one after another: what is agreed is written once. */
export class LimitHeaders {
  readonly #requestsPerSecond: number
  #quota = -1
  #periodSeconds = 0
  #policy = ""

  constructor({ requestsPerSecond }: Customer) {
    this.#requestsPerSecond = requestsPerSecond
  }

  /** `secondRemaining`: requests the key may send now. */
  of(secondRemaining: number, { periodSeconds, quota, remaining, resetSeconds }: Standing): RateLimitHeaders {
    if (quota !== this.#quota || periodSeconds !== this.#periodSeconds) {
      this.#quota = quota
      this.#periodSeconds = periodSeconds
      this.#policy = `"second";q=${this.#requestsPerSecond};w=1, "month";q=${quota};w=${periodSeconds}`
    }
    return {
      "ratelimit-policy": this.#policy,
      ratelimit: `"second";r=${secondRemaining};t=1, "month";r=${remaining};t=${resetSeconds}`,
    }
  }
}
