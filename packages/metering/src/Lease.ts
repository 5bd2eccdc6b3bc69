/**
 * What one gateway process holds of an account's month: taken from the ledger, served from here. A request first reserves one, then
 * either serves it or gives it back. Plain data: no clock, no IO.
 */
import type { AccountId } from "@matchpoint/domain/accounts"
import type { LeaseReport, UsageLine } from "@matchpoint/domain/metering/leases"
import { type Day, dayOf, type Period, periodEnd, periodOfDay, periodStart } from "@matchpoint/domain/metering/periods"

/** What was served on a day. */
interface Line {
  readonly day: Day
  requests: number
  streamTicks: number
  /** Requests and ticks, as the ledger has them. */
  reported: number
  /** Of it, ticks. */
  reportedTicks: number
}

export class Lease {
  readonly period: Period
  // What every request touches lies together, and is all that a request touches of an account: between two requests of an account nothing
  // of it stays in the processor's caches.
  /** Granted, reported grace included, and not given back. */
  #size = 0
  /** Of grace, not taken by the ledger yet. */
  #owed = 0
  #used = 0
  #reserved = 0
  /** The day that was served on last, and what was served on it and has not been added to its line yet. */
  #day: Day | undefined
  #requests = 0
  #tellBelow = 0
  /** Of the quota, not in this lease, as the ledger said last. */
  #besides: number | undefined = undefined
  #streamTicks = 0
  readonly #runsLow: (lease: Lease) => void
  readonly #lines: Array<Line> = []
  #revision = 0
  #settledRevision = 0
  readonly leaseId: string
  readonly accountId: AccountId

  /** `runsLow`: called by `take` when fewer are available than `tellBelow` was called with. */
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

  /** Served, in all. */
  get used(): number {
    return this.#used
  }

  get owed(): number {
    return this.#owed
  }

  /** Something the ledger does not know yet, or may have understood otherwise: a report whose fate is unknown. */
  get dirty(): boolean {
    return (
      this.#owed > 0 ||
      this.#settledRevision < this.#revision ||
      this.#requests + this.#streamTicks > 0 ||
      this.#lines.some((line) => line.requests + line.streamTicks > line.reported)
    )
  }

  /** Ticks that the ledger does not know yet. */
  get unsaidTicks(): number {
    return this.#lines.reduce((sum, line) => sum + line.streamTicks - line.reportedTicks, this.#streamTicks)
  }

  /** Requests left of the month's `quota`, as far as is known here. */
  remaining(quota: number): number {
    return this.#besides === undefined ? quota : Math.min(quota, this.#besides + Math.max(0, this.available))
  }

  /** What the ledger has left of the quota besides this lease. Until it is called that is not known. */
  hasBesides(left: number | undefined): void {
    this.#besides = left
  }

  tellBelow(available: number): void {
    this.#tellBelow = available
  }

  /** Reserves one, and says so when few are left. False: none is. */
  take(): boolean {
    if (!this.reserve()) return false
    if (this.available < this.#tellBelow) this.#runsLow(this)
    return true
  }

  /** False: none is left. */
  reserve(): boolean {
    if (this.available <= 0) return false
    this.#reserved += 1
    return true
  }

  /** Reserves one beyond what was granted; it is owed to the ledger. */
  reserveInGrace(): void {
    if (this.reserve()) return
    this.#owed += 1
    this.#reserved += 1
  }

  /** What was reserved is served. `today` of the ledger's clock; outside of the lease's month it counts on the nearest day of it. */
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

  /** What was reserved is not needed. */
  release(): void {
    this.#reserved -= 1
  }

  /**
   * Gives back nothing that is reserved. What is given back is gone from here at once. `withheldTicks`: so many of the unsaid ticks are left
   * for a later report, those of the newest days first.
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

  /** The ledger has taken the report. */
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

  /** One line per day, also when the ledger's clock has gone back over midnight: what is reported of a day is absolute. */
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
