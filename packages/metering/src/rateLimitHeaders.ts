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

/** `secondRemaining`: requests the key may send now. Cheap enough for every answer: what is agreed is written once per customer. */
export const rateLimitHeaders = (customer: Customer, secondRemaining: number, standing: Standing): RateLimitHeaders => ({
  "ratelimit-policy": policyOf(customer, standing),
  ratelimit: `"second";r=${secondRemaining};t=1, "month";r=${standing.remaining};t=${standing.resetSeconds}`,
})

interface Policy {
  readonly quota: number
  readonly periodSeconds: number
  readonly text: string
}

/** By the object, which the cache of keys keeps for some seconds. */
const policies = new WeakMap<Customer, Policy>()

const policyOf = (customer: Customer, { periodSeconds, quota }: Standing): string => {
  const known = policies.get(customer)
  if (known !== undefined && known.quota === quota && known.periodSeconds === periodSeconds) return known.text
  const text = `"second";q=${customer.requestsPerSecond};w=1, "month";q=${quota};w=${periodSeconds}`
  policies.set(customer, { quota, periodSeconds, text })
  return text
}
