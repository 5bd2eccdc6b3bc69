/**
 * The ledger's time, estimated by this process: the time of the ledger's last response plus the monotonic time since
 * then. Gateways whose own clocks are wrong therefore agree on the end of a month.
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

  /** `monotonic` returns milliseconds since an arbitrary start and never goes back. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** False until the ledger has reported its time. */
  get known(): boolean {
    return this.#offset !== undefined
  }

  /**
   * Sets the clock from a response that has just arrived. `now` is the ledger's time, `askedAt` the monotonic time of
   * the request.
   * The ledger read its clock at an unknown moment between the two. Of the possible times, the first call takes the
   * earliest; later calls take the one that changes this clock least. So this clock does not jitter with response
   * delays, and it is never ahead of the ledger's.
   */
  set(now: number, askedAt: number): void {
    const earliest = now - this.#monotonic()
    const latest = now - askedAt
    this.#offset = Math.min(latest, Math.max(earliest, this.#offset ?? earliest))
  }

  /** Epoch milliseconds at the monotonic time `moment`; default: now. */
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
   * The current month. Here and in the methods below, callers that have just read this clock can pass its time as
   * `now`.
   */
  period(now: number = this.now()): Period {
    if (this.#period === undefined || now < this.#periodStart || now >= this.#periodEnd) {
      this.#period = periodOf(now)
      this.#periodStart = periodStart(this.#period)
      this.#periodEnd = periodEnd(this.#period)
    }
    return this.#period
  }

  /** Start of the month, epoch milliseconds. */
  periodStart(now: number = this.now()): number {
    this.period(now)
    return this.#periodStart
  }

  /** End of the month, epoch milliseconds. */
  periodEnd(now: number = this.now()): number {
    this.period(now)
    return this.#periodEnd
  }

  /** Whole seconds until the end of the month. */
  secondsToPeriodEnd(now: number): number {
    return Math.max(0, Math.ceil((this.periodEnd(now) - now) / 1_000))
  }

  /** Length of the month in seconds. */
  periodSeconds(now: number): number {
    this.period(now)
    return (this.#periodEnd - this.#periodStart) / 1_000
  }
}
