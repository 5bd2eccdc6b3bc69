/**
 * The ledger's time as this process believes it: what the ledger said last, plus what has passed here since, by a clock that does not
 * jump. So gateways whose own clocks are wrong agree on when a month ends.
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

  /** `monotonic`: milliseconds since whenever; never goes back. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** False: the ledger has not said the time yet. */
  get known(): boolean {
    return this.#offset !== undefined
  }

  /**
   * The ledger, asked when it was `askedAt` here (monotonic), has answered just now that it is `now`. It looked at its clock somewhere
   * between: of the times that fit, the one is taken that moves this clock least, and the first is the earliest. So this clock does not
   * jitter with the answers' delays, and it is not ahead of the ledger's.
   */
  set(now: number, askedAt: number): void {
    const earliest = now - this.#monotonic()
    const latest = now - askedAt
    this.#offset = Math.min(latest, Math.max(earliest, this.#offset ?? earliest))
  }

  /** Epoch ms. `moment`: when, monotonic; default now. */
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

  /** `now` here and below: for callers that have just asked this clock. */
  period(now: number = this.now()): Period {
    if (this.#period === undefined || now < this.#periodStart || now >= this.#periodEnd) {
      this.#period = periodOf(now)
      this.#periodStart = periodStart(this.#period)
      this.#periodEnd = periodEnd(this.#period)
    }
    return this.#period
  }

  /** When the month began, epoch ms. */
  periodStart(now: number = this.now()): number {
    this.period(now)
    return this.#periodStart
  }

  /** When it ends. */
  periodEnd(now: number = this.now()): number {
    this.period(now)
    return this.#periodEnd
  }

  /** Until it ends, whole seconds. */
  secondsToPeriodEnd(now: number): number {
    return Math.max(0, Math.ceil((this.periodEnd(now) - now) / 1_000))
  }

  /** Its length. */
  periodSeconds(now: number): number {
    this.period(now)
    return (this.#periodEnd - this.#periodStart) / 1_000
  }
}
