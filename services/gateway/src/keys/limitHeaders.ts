/**
 * What a customer's limits look like in the headers of an answer: structured fields of draft-ietf-httpapi-ratelimit-headers-11. Policy
 * "second" is the key's rate, "month" the account's quota. Counts nothing.
 */
import type { Customer } from "@matchpoint/domain/accounts"
import type { Day } from "@matchpoint/domain/metering/periods"
import type { LedgerClock } from "@matchpoint/metering/LedgerClock"

/** What is the same in all answers of a second to customers with the same terms. */
export interface LimitTexts {
  /** On which all of this second lies. */
  readonly day: Day
  readonly policy: string
  readonly untilReset: string
  /** The moment (monotonic ms) from which on they are wrong: at once, while the ledger has not told the time. */
  readonly goodUntil: number
}

export class LimitHeaders {
  readonly #clock: LedgerClock
  /** Of this second, by terms. Customers share them: what everybody uses is near. */
  readonly #texts = new Map<string, LimitTexts>()
  #from = Number.POSITIVE_INFINITY
  #goodUntil = Number.NEGATIVE_INFINITY

  constructor(clock: LedgerClock) {
    this.#clock = clock
  }

  /** `moment`: now, as Meter counts. */
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

/** The header `ratelimit`: requests left of the rate and of the month's quota. */
export const rateLimit = (second: number, month: number, { untilReset }: Pick<LimitTexts, "untilReset">): string =>
  `"second";r=${second};t=1, "month";r=${month}${untilReset}`

/** One piece in memory. V8 keeps what is added or put into a template in pieces, which each reader would put together anew. */
const text = (...pieces: ReadonlyArray<string | number>): string => pieces.join("")
