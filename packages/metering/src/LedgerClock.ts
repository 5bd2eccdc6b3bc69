/**
 * Estimates the time of the ledger's clock in this process: the time in the ledger's last response, plus the time that
 * has passed since then on the monotonic clock. As a result, gateways agree on when a month ends even if their system
 * clocks are wrong.
 */
import { type Day, dayOf, type Period, periodEnd, periodOf, periodStart } from "@matchpoint/domain/metering/periods"

const DAY_MS = 86_400_000

export class LedgerClock {
  readonly #monotonic: () => number
  #offset: number | undefined
  #day: Day | undefined
  #dayStart = 0
  #period: Period | undefined
  #periodStart = 0
  #periodEnd = 0

  /** `monotonic` returns the time in milliseconds since an arbitrary start; the time never goes back. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** True once the ledger has reported its time. */
  get known(): boolean {
    return this.#offset !== undefined
  }

  /**
   * Sets the clock from a ledger response that has just arrived. `now` is the time that the ledger returned, and
   * `sentAt` the monotonic time at which the request was sent.
   *
   * The ledger read its clock at an unknown moment between the sending of the request and the arrival of the response,
   * so its current time is only known within a range. The first call sets this clock to the earliest time in the range.
   * Later calls choose the time in the range that changes this clock the least. Therefore this clock does not jitter
   * with response delays, and it is never ahead of the ledger's clock.
   */
  set(now: number, sentAt: number): void {
    const earliest = now - this.#monotonic()
    const latest = now - sentAt
    this.#offset = Math.min(latest, Math.max(earliest, this.#offset ?? earliest))
  }

  /**
   * Returns the ledger's time in epoch milliseconds at the monotonic time `moment`, which defaults to the current time.
   */
  now(moment: number = this.#monotonic()): number {
    return moment + (this.#offset ?? 0)
  }

  day(now: number = this.now()): Day {
    if (this.#day === undefined || now < this.#dayStart || now >= this.#dayStart + DAY_MS) {
      this.#day = dayOf(now)
      this.#dayStart = Math.floor(now / DAY_MS) * DAY_MS
    }
    return this.#day
  }

  /**
   * Returns the current month. A caller that has just read this clock can pass the result as `now`, here and in the
   * methods below, to avoid reading the clock again.
   */
  period(now: number = this.now()): Period {
    if (this.#period === undefined || now < this.#periodStart || now >= this.#periodEnd) {
      this.#period = periodOf(now)
      this.#periodStart = periodStart(this.#period)
      this.#periodEnd = periodEnd(this.#period)
    }
    return this.#period
  }

  /** Returns the start of the current month in epoch milliseconds. */
  periodStart(now: number = this.now()): number {
    this.period(now)
    return this.#periodStart
  }

  /** Returns the end of the current month in epoch milliseconds. */
  periodEnd(now: number = this.now()): number {
    this.period(now)
    return this.#periodEnd
  }

  /** Returns the number of seconds until the current month ends, rounded up. */
  secondsToPeriodEnd(now: number): number {
    return Math.max(0, Math.ceil((this.periodEnd(now) - now) / 1_000))
  }

  /** Returns the length of the current month in seconds. */
  periodSeconds(now: number): number {
    this.period(now)
    return (this.#periodEnd - this.#periodStart) / 1_000
  }
}
