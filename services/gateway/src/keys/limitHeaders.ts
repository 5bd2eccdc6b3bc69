/**
 * Builds the rate limit headers, which are structured fields according to draft-ietf-httpapi-ratelimit-headers-11. The
 * policy "second" is the rate limit of the key, and the policy "month" is the quota of the account. This file only
 * formats the headers and does not count requests.
 */
import type { Customer } from "@matchpoint/domain/accounts"
import type { Day } from "@matchpoint/domain/metering/periods"
import type { LedgerClock } from "@matchpoint/metering/LedgerClock"

/** Parts of the header values that, within one second, are identical for all customers with the same terms. */
export interface LimitTexts {
  /** Day, by the clock of the usage ledger, for which these texts are valid. */
  readonly day: Day
  readonly policy: string
  readonly untilReset: string
  /**
   * Time at which these parts of the headers expire, in monotonic milliseconds. As long as the usage ledger has not
   * reported its time, they expire immediately.
   */
  readonly goodUntil: number
}

export class LimitHeaders {
  readonly #clock: LedgerClock
  /**
   * Cache of the header parts for the current second, by the customer's terms. Customers with equal terms share one
   * object, so that it stays in the CPU cache.
   */
  readonly #texts = new Map<string, LimitTexts>()
  #from = Number.POSITIVE_INFINITY
  #goodUntil = Number.NEGATIVE_INFINITY

  constructor(clock: LedgerClock) {
    this.#clock = clock
  }

  /**
   * Returns the parts of the rate-limit headers for the customer's terms. `moment` is the time by the clock of `Meter`.
   */
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

/** Returns the value of the `ratelimit` header: the requests that remain of the rate limit and of the month's quota. */
export const rateLimit = (second: number, month: number, { untilReset }: Pick<LimitTexts, "untilReset">): string =>
  `"second";r=${second};t=1, "month";r=${month}${untilReset}`

/**
 * Joins values to one contiguous string. The operator `+` and template literals are avoided, because V8 would store
 * their result in pieces that it has to join on every use.
 */
const text = (...pieces: ReadonlyArray<string | number>): string => pieces.join("")
