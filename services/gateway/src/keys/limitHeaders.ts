/**
 * Builds the rate limit headers, which are structured fields according to draft-ietf-httpapi-ratelimit-headers-11.
 * Policy "second" is the rate of the key, policy "month" the quota of the account. Requests are counted elsewhere.
 */
import type { Customer } from "@matchpoint/domain/accounts"
import type { Day } from "@matchpoint/domain/metering/periods"
import type { LedgerClock } from "@matchpoint/metering/LedgerClock"

/** Parts of the headers that are the same, within one second, for all customers with the same terms. */
export interface LimitTexts {
  /** Day in the usage ledger to which the current second belongs. */
  readonly day: Day
  readonly policy: string
  readonly untilReset: string
  /**
   * Time at which the texts expire, in monotonic milliseconds. Until the ledger has reported its time, texts expire
   * immediately.
   */
  readonly goodUntil: number
}

export class LimitHeaders {
  readonly #clock: LedgerClock
  /**
   * Cache of the header texts for the current second, by terms. Customers with equal terms share the texts, so that the
   * texts stay in the CPU cache.
   */
  readonly #texts = new Map<string, LimitTexts>()
  #from = Number.POSITIVE_INFINITY
  #goodUntil = Number.NEGATIVE_INFINITY

  constructor(clock: LedgerClock) {
    this.#clock = clock
  }

  /** Returns the texts for the customer's terms. `moment` is the current time by Meter's clock. */
  texts({ requestsPerMonth, requestsPerSecond }: Customer, moment: number): LimitTexts {
    const now = this.#clock.now(moment)
    const seconds = this.#clock.secondsToPeriodEnd(now)
    if (moment < this.#from || moment >= this.#goodUntil) {
      this.#texts.clear()
      this.#from = moment
      const untilNextSecond = this.#clock.known ? this.#clock.periodEnd(now) - (seconds - 1) * 1_000 - now : 0
      this.#goodUntil = moment + Math.max(0, untilNextSecond)
    }
    const terms = `${requestsPerSecond} ${requestsPerMonth}`
    const known = this.#texts.get(terms)
    if (known !== undefined) return known
    const texts: LimitTexts = {
      day: this.#clock.day(now),
      policy: text('"second";q=', requestsPerSecond, ';w=1, "month";q=', requestsPerMonth, ";w=", this.#clock.periodSeconds(now)),
      untilReset: text(";t=", seconds),
      goodUntil: this.#goodUntil,
    }
    this.#texts.set(terms, texts)
    return texts
  }
}

/** Returns the `ratelimit` header: remaining requests of the rate and of the month's quota. */
export const rateLimit = (second: number, month: number, { untilReset }: Pick<LimitTexts, "untilReset">): string =>
  `"second";r=${second};t=1, "month";r=${month}${untilReset}`

/**
 * Joins values to one contiguous string. V8 stores the result of `+` or of a template literal in pieces, which would
 * have to be joined on every use.
 */
const text = (...pieces: ReadonlyArray<string | number>): string => pieces.join("")
