/**
 * Rate limit headers: structured fields of draft-ietf-httpapi-ratelimit-headers-11. Policy "second" is the key's rate,
 * policy "month" the account's quota. Does not count requests.
 */
import type { Customer } from "@matchpoint/domain/accounts"
import type { Day } from "@matchpoint/domain/metering/periods"
import type { LedgerClock } from "@matchpoint/metering/LedgerClock"

/** Header texts shared by all responses to customers with the same terms within one second. */
export interface LimitTexts {
  /** Ledger day of the current second. */
  readonly day: Day
  readonly policy: string
  readonly untilReset: string
  /** Time from which the texts are wrong, monotonic ms. They are not reused until the ledger has reported its time. */
  readonly goodUntil: number
}

export class LimitHeaders {
  readonly #clock: LedgerClock
  /**
   * Texts of the current second by terms. Customers with equal terms share them, so that they stay in the CPU cache.
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
 * Joins text into one contiguous string. V8 stores the result of `+` or a template in pieces, which every reader would
 * have to join again.
 */
const text = (...pieces: ReadonlyArray<string | number>): string => pieces.join("")
