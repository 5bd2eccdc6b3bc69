/**
 * The ledger's time as this process believes it: what the ledger said last, plus what has passed here since, by a clock that does not
 * jump. So gateways whose own clocks are wrong agree on when a month ends.
 */
import { type Day, dayOf, type Period, periodEnd, periodOf } from "@matchpoint/domain/metering/periods"

const DAY_MS = 86_400_000

export class LedgerClock {
  readonly #monotonic: () => number
  #offset: number | undefined
  #day: Day | undefined
  #dayEnd = 0
  #period: Period | undefined
  #periodEnd = 0

  /** `monotonic`: milliseconds since whenever; never goes back. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** False: the ledger has not said the time yet. */
  get known(): boolean {
    return this.#offset !== undefined
  }

  /** The ledger has just said that it is `now`. */
  set(now: number): void {
    this.#offset = now - this.#monotonic()
  }

  /** Epoch ms. */
  now(): number {
    return this.#monotonic() + (this.#offset ?? 0)
  }

  day(): Day {
    const now = this.now()
    if (this.#day === undefined || now >= this.#dayEnd || now < this.#dayEnd - DAY_MS) {
      this.#day = dayOf(now)
      this.#dayEnd = (Math.floor(now / DAY_MS) + 1) * DAY_MS
    }
    return this.#day
  }

  period(): Period {
    const now = this.now()
    // Hours before and after the turn of a month are looked at closely, the days between not at all.
    if (this.#period === undefined || now >= this.#periodEnd || now < this.#periodEnd - 32 * DAY_MS || this.#nearStart(now)) {
      this.#period = periodOf(now)
      this.#periodEnd = periodEnd(this.#period)
    }
    return this.#period
  }

  /** When the current month ends, epoch ms. */
  periodEnd(): number {
    this.period()
    return this.#periodEnd
  }

  /** A correction of the clock may have taken it back into the month before. */
  #nearStart(now: number): boolean {
    return now < this.#periodEnd - 27 * DAY_MS
  }
}
