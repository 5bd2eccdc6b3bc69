/**
 * The part of an account's monthly quota that one gateway process holds: taken from the ledger, served from memory. A
 * request is first reserved, then either served or released. Plain data: no clock, no IO.
 */
import type { AccountId } from "@matchpoint/domain/accounts"
import type { LeaseReport, UsageLine } from "@matchpoint/domain/metering/leases"
import { type Day, dayOf, type Period, periodEnd, periodOfDay, periodStart } from "@matchpoint/domain/metering/periods"

/** Usage of one day. */
interface Line {
  readonly day: Day
  requests: number
  streamTicks: number
  /** Requests and ticks that the ledger has accepted. */
  reported: number
  /** Number of ticks included in `reported`. */
  reportedTicks: number
}

export class Lease {
  readonly period: Period
  // The fields that every request touches are adjacent, and a request touches no other data of the account. This saves
  // cache misses: between two requests of an account, its data leaves the processor's caches.
  /** Requests granted and not given back, including accepted grace. */
  #size = 0
  /** Requests reserved in grace that the ledger has not accepted yet. */
  #owed = 0
  #used = 0
  #reserved = 0
  /**
   * Day of the last served request. `#requests` and `#streamTicks` count the usage of this day that is not in its line
   * yet.
   */
  #day: Day | undefined
  #requests = 0
  #tellBelow = 0
  /** Requests of the quota that are not given out, by the ledger's last response. */
  #besides: number | undefined = undefined
  #streamTicks = 0
  readonly #runsLow: (lease: Lease) => void
  readonly #lines: Array<Line> = []
  #revision = 0
  #settledRevision = 0
  readonly leaseId: string
  readonly accountId: AccountId

  /** `runsLow` is called by `take` when fewer requests are available than set with `tellBelow`. */
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

  /** Total number of served requests and ticks. */
  get used(): number {
    return this.#used
  }

  get owed(): number {
    return this.#owed
  }

  /** True if the ledger does not have all usage, or may not have applied the last report. */
  get dirty(): boolean {
    return (
      this.#owed > 0 ||
      this.#settledRevision < this.#revision ||
      this.#requests + this.#streamTicks > 0 ||
      this.#lines.some((line) => line.requests + line.streamTicks > line.reported)
    )
  }

  /** Number of ticks that the ledger does not have yet. */
  get unsaidTicks(): number {
    return this.#lines.reduce((sum, line) => sum + line.streamTicks - line.reportedTicks, this.#streamTicks)
  }

  /** Requests left of the monthly `quota`, as far as known here. */
  remaining(quota: number): number {
    return this.#besides === undefined ? quota : Math.min(quota, this.#besides + Math.max(0, this.available))
  }

  /** Sets the requests of the quota that are not given out, or undefined if unknown. */
  hasBesides(left: number | undefined): void {
    this.#besides = left
  }

  tellBelow(available: number): void {
    this.#tellBelow = available
  }

  /** Reserves one request, and calls `runsLow` if few are left. Returns false if none is available. */
  take(): boolean {
    if (!this.reserve()) return false
    if (this.available < this.#tellBelow) this.#runsLow(this)
    return true
  }

  /** Reserves one request. Returns false if none is available. */
  reserve(): boolean {
    if (this.available <= 0) return false
    this.#reserved += 1
    return true
  }

  /** Reserves one request; if none is available, one beyond the granted number, which is then owed to the ledger. */
  reserveInGrace(): void {
    if (this.reserve()) return
    this.#owed += 1
    this.#reserved += 1
  }

  /**
   * Counts a reserved request or tick as served. `today` is the day by the ledger's clock. If it is outside the lease's
   * month, the nearest day of that month counts instead.
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

  /** Releases a reserved request that is not needed. */
  release(): void {
    this.#reserved -= 1
  }

  /**
   * Builds the next report. Reserved requests are not given back. Requests given back leave the lease at once.
   * `withheldTicks`: number of unreported ticks to leave for a later report, newest days first.
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

  /** Applies a report that the ledger has accepted. */
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
   * Returns the only line of a day. There is never a second one, even if the ledger's clock goes back across midnight,
   * because a reported line is the total of its day.
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
