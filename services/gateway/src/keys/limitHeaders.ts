/**
 * Rate limit headers: structured fields according to draft-ietf-httpapi-ratelimit-headers-11. The policy "second" is
 * the rate limit of the key, and "month" the quota of the account. Nothing is counted here.
 */
import type { Customer } from "@matchpoint/domain/accounts"
import type { Day } from "@matchpoint/domain/metering/periods"
import type { LedgerClock } from "@matchpoint/metering/LedgerClock"

/** Parts of the headers that, within one second, are the same for all customers with the same terms. */
export interface LimitTexts {
  /** Valid on this day, by the clock of the usage ledger. */
  readonly day: Day
  readonly policy: string
  readonly untilReset: string
  /** Monotonic milliseconds. Until the ledger has reported its time, the texts expire immediately. */
  readonly goodUntil: number
}

export class LimitHeaders {
  readonly #clock: LedgerClock
  /** Texts of the current second. Customers with equal terms share one object, so that it stays in the CPU cache. */
  readonly #texts = new Map<string, LimitTexts>()
  #from = Number.POSITIVE_INFINITY
  #goodUntil = Number.NEGATIVE_INFINITY

  constructor(clock: LedgerClock) {
    this.#clock = clock
  }

  /** `moment` is the time by the clock of `Meter`. */
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

/** `ratelimit`: what remains of the rate limit and of the month's quota. */
export const rateLimit = (second: number, month: number, { untilReset }: Pick<LimitTexts, "untilReset">): string =>
  `"second";r=${second};t=1, "month";r=${month}${untilReset}`

/** Makes one contiguous string. For `+` and template literals, V8 would store pieces that it has to join on every use. */
const text = (...pieces: ReadonlyArray<string | number>): string => pieces.join("")
