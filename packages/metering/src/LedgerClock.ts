/**
 * Estimates the ledger's clock: the time of its last response plus the time since then on the monotonic clock. So
 * gateways agree on the end of a month even if their system clocks are wrong.
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

  /** Milliseconds since an arbitrary start; never goes back. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** True once the ledger has reported its time. */
  get known(): boolean {
    return this.#offset !== undefined
  }

  /**
   * `now` is the time in the response, `sentAt` the monotonic time of the request.
   *
   * The ledger read its clock at an unknown moment between request and response, so its time is known only within a
   * range. The first call takes the earliest time, later ones the time that changes this clock the least. So it does
   * not jitter with response delays and is never ahead of the ledger's clock.
   */
  set(now: number, sentAt: number): void {
    const earliest = now - this.#monotonic()
    const latest = now - sentAt
    this.#offset = Math.min(latest, Math.max(earliest, this.#offset ?? earliest))
  }

  /** Epoch milliseconds at the monotonic time `moment`. */
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

  /** The current month. A caller that has just read this clock can pass its time as `now`, here and below. */
  period(now: number = this.now()): Period {
    if (this.#period === undefined || now < this.#periodStart || now >= this.#periodEnd) {
      this.#period = periodOf(now)
      this.#periodStart = periodStart(this.#period)
      this.#periodEnd = periodEnd(this.#period)
    }
    return this.#period
  }

  /** Epoch milliseconds. */
  periodStart(now: number = this.now()): number {
    this.period(now)
    return this.#periodStart
  }

  /** Epoch milliseconds. */
  periodEnd(now: number = this.now()): number {
    this.period(now)
    return this.#periodEnd
  }

  /** Rounded up. */
  secondsToPeriodEnd(now: number): number {
    return Math.max(0, Math.ceil((this.periodEnd(now) - now) / 1_000))
  }

  periodSeconds(now: number): number {
    this.period(now)
    return (this.#periodEnd - this.#periodStart) / 1_000
  }
}
