/**
 * A lease: the block of requests that the ledger has reserved for one gateway process from an account's monthly quota.
 * The gateway serves these requests without asking the ledger again. Each request is first reserved for a caller and
 * then either served or released. Performs no IO and reads no clock.
 */
import type { AccountId } from "@matchpoint/domain/accounts"
import type { LeaseReport, UsageLine } from "@matchpoint/domain/metering/leases"
import { type Day, dayOf, type Period, periodEnd, periodOfDay, periodStart } from "@matchpoint/domain/metering/periods"

/** Usage on one day: the numbers of requests and of stream charges served. */
interface Line {
  readonly day: Day
  requests: number
  streamTicks: number
  /** Number of requests and stream charges (one per 15 s of streaming) on this day that the ledger has accepted. */
  reported: number
  /** Number of stream charges included in `reported`. */
  reportedTicks: number
}

export class Lease {
  readonly period: Period
  // Each request accesses only the following fields, which are adjacent in memory, and no other data of the account.
  // This reduces cache misses, because an account's data is usually evicted from the processor's caches between two of
  // its requests.
  /**
   * Number of requests that the ledger has granted and that were not given back. Includes requests served without a
   * grant while the ledger did not respond, once the ledger has accepted them.
   */
  #size = 0
  /**
   * Number of requests that were reserved for callers while the ledger did not respond, without having been granted.
   * Those that the ledger has accepted since are not included.
   */
  #owed = 0
  #used = 0
  #reserved = 0
  /**
   * Day of the last served request. `#requests` and `#streamTicks` count the part of this day's usage that has not been
   * added to the day's entry in `#lines` yet.
   */
  #day: Day | undefined
  #requests = 0
  lowThreshold = 0
  /**
   * Number of requests of the monthly quota that have not been granted to any gateway yet, according to the ledger's
   * last response. Undefined if unknown.
   */
  #ungranted: number | undefined = undefined
  #streamTicks = 0
  readonly #runsLow: (lease: Lease) => void
  readonly #lines: Array<Line> = []
  #revision = 0
  #settledRevision = 0
  readonly leaseId: string
  readonly accountId: AccountId

  /**
   * `runsLow` is a callback. It is called by `take` when fewer requests are available than the number passed to
   * `setLowThreshold`.
   */
  constructor(leaseId: string, accountId: AccountId, period: Period, runsLow: (lease: Lease) => void = () => {}) {
    this.leaseId = leaseId
    this.accountId = accountId
    this.period = period
    this.#runsLow = runsLow
  }

  get available(): number {
    return this.#size + this.#owed - this.#used - this.#reserved
  }

  get reserved(): number {
    return this.#reserved
  }

  get size(): number {
    return this.#size
  }

  /** Total number of requests and stream charges (one per 15 s of streaming) served from the granted requests. */
  get used(): number {
    return this.#used
  }

  get owed(): number {
    return this.#owed
  }

  /**
   * True if another report to the ledger is necessary: some usage has not been reported, or the last report may not
   * have been applied.
   */
  get dirty(): boolean {
    return (
      this.#owed > 0 ||
      this.#settledRevision < this.#revision ||
      this.#requests + this.#streamTicks > 0 ||
      this.#lines.some((line) => line.requests + line.streamTicks > line.reported)
    )
  }

  /** Number of stream charges (one per 15 s of streaming) that have not been reported to the ledger. */
  get unreportedTicks(): number {
    return this.#lines.reduce((sum, line) => sum + line.streamTicks - line.reportedTicks, this.#streamTicks)
  }

  /** Returns the number of requests left of the monthly `quota`, as far as this gateway can determine it. */
  remaining(quota: number): number {
    return this.#ungranted === undefined ? quota : Math.min(quota, this.#ungranted + Math.max(0, this.available))
  }

  /**
   * Sets the number of requests of the monthly quota that have not been granted to any gateway yet, or undefined if it
   * is unknown.
   */
  setUngranted(left: number | undefined): void {
    this.#ungranted = left
  }

  setLowThreshold(available: number): void {
    this.lowThreshold = available
  }

  /**
   * Reserves one request. Calls `runsLow` if the number of available requests is then below the threshold. Returns
   * false if no request is available.
   */
  take(): boolean {
    if (!this.reserve()) return false
    if (this.available < this.lowThreshold) this.#runsLow(this)
    return true
  }

  /** Reserves one request. Returns false if none is available. */
  reserve(): boolean {
    if (this.available <= 0) return false
    this.#reserved += 1
    return true
  }

  /**
   * Reserves one request for a caller, even if none is available. In that case the request is owed to the ledger: it is
   * added to the granted requests when the ledger has accepted it.
   */
  reserveInGrace(): void {
    if (this.reserve()) return
    this.#owed += 1
    this.#reserved += 1
  }

  /**
   * Counts a reserved request as served. It was used either for a request or for 15 s of streaming (a billing tick).
   * `today` is the day according to the ledger's clock. If this day is outside the month for which the requests were
   * granted, the usage is counted for the nearest day of that month.
   */
  serve(kind: "request" | "tick", today: Day): void {
    if (today !== this.#day) {
      this.#writeLine()
      this.#day = today
    }
    this.#reserved -= 1
    this.#used += 1
    if (kind === "request") this.#requests += 1
    else this.#streamTicks += 1
  }

  /** Releases a reserved request that will not be served. */
  release(): void {
    this.#reserved -= 1
  }

  /**
   * Builds the next report to the ledger. `giveBack` is the number of requests to give back; they are removed
   * immediately, and requests reserved for a caller are never given back. `withheldTicks` is the number of unreported
   * stream charges to leave for a later report, starting with those of the newest day.
   */
  report(gatewayId: string, want: number, giveBack: number, withheldTicks = 0): LeaseReport {
    const size = this.#size
    const given = Math.max(0, Math.min(giveBack, this.available, size))
    this.#size -= given
    this.#revision += 1
    this.#writeLine()
    const lines: Array<UsageLine> = []
    let withheld = withheldTicks
    for (const line of this.#lines.toReversed()) {
      const left = Math.min(withheld, line.streamTicks - line.reportedTicks)
      withheld -= left
      const streamTicks = line.streamTicks - left
      if (line.requests + streamTicks > line.reported) lines.unshift({ day: line.day, requests: line.requests, streamTicks })
    }
    return {
      leaseId: this.leaseId,
      accountId: this.accountId,
      period: this.period,
      gatewayId,
      revision: this.#revision,
      size,
      want,
      giveBack: given,
      owed: this.#owed,
      lines,
    }
  }

  /**
   * Updates the lease after the ledger has accepted a report. `granted` is the number of requests that the ledger has
   * added to the lease.
   */
  settled({ lines, owed, revision }: LeaseReport, granted: number): void {
    this.#settledRevision = revision
    this.#size += granted + owed
    this.#owed -= owed
    for (const { day, requests, streamTicks } of lines) {
      const line = this.#lines.find((one) => one.day === day)
      if (line === undefined) continue
      line.reported = requests + streamTicks
      line.reportedTicks = streamTicks
    }
  }

  #writeLine(): void {
    if (this.#day === undefined || this.#requests + this.#streamTicks === 0) return
    const line = this.#lineOf(nearestIn(this.period, this.#day))
    line.requests += this.#requests
    line.streamTicks += this.#streamTicks
    this.#requests = 0
    this.#streamTicks = 0
  }

  /**
   * Returns the usage entry of a day, and creates it if necessary. A day must not have two entries, even if the
   * ledger's clock goes back across midnight, because an entry is reported as the total of its day.
   */
  #lineOf(day: Day): Line {
    const known = this.#lines.find((line) => line.day === day)
    if (known !== undefined) return known
    const line: Line = { day, requests: 0, streamTicks: 0, reported: 0, reportedTicks: 0 }
    this.#lines.push(line)
    return line
  }
}

const nearestIn = (period: Period, day: Day): Day => {
  const other = periodOfDay(day)
  if (other === period) return day
  return dayOf(other < period ? periodStart(period) : periodEnd(period) - 1)
}
