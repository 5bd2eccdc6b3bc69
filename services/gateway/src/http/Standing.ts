/** How a customer stands at this gateway: what would have to be looked up for every request of his. */
import type { Customer } from "@matchpoint/domain/accounts"
import type { AccountMeter } from "@matchpoint/metering/AccountMeter"
import type { KeyRate } from "@matchpoint/metering/KeyRate"
import type { Meter } from "@matchpoint/metering/Meter"
import type { RateLimits } from "@matchpoint/metering/RateLimits"
import { LimitHeaders, type LimitTexts, rateLimit } from "@matchpoint/metering/rateLimitHeaders"

export class Standing {
  readonly account: AccountMeter
  readonly key: KeyRate
  readonly #limits: LimitTexts

  constructor(account: AccountMeter, key: KeyRate, limits: LimitTexts) {
    this.account = account
    this.key = key
    this.#limits = limits
  }

  /** The moment from which on it has to be looked up again: a second at most, within which the owners of account and key keep them. */
  get goodUntil(): number {
    return this.#limits.goodUntil
  }

  /** Adds to an answer's headers what is left for the customer. */
  tell(headers: Record<string, string>, moment: number): void {
    headers["ratelimit-policy"] = this.#limits.policy
    headers["ratelimit"] = rateLimit(this.key.remaining, this.account.remaining(moment), this.#limits)
  }
}

/**
 * Looks it up where it is not known: by the object that Authentication has for the customer, which is another one as soon as his terms are
 * asked for again. `moment` as Meter counts.
 */
export const standings = (meter: Meter["Service"], rates: RateLimits["Service"]) => {
  const limits = new LimitHeaders(meter.clock)
  /** Of this second. */
  const known = new Map<Customer, Standing>()
  let goodUntil = Number.NEGATIVE_INFINITY
  return (customer: Customer, moment: number): Standing => {
    if (moment >= goodUntil) known.clear()
    const already = known.get(customer)
    if (already !== undefined) return already
    const standing = new Standing(meter.account(customer), rates.key(customer), limits.texts(customer, moment))
    goodUntil = standing.goodUntil
    known.set(customer, standing)
    return standing
  }
}
