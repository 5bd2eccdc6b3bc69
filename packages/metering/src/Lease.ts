/**
 * The block of requests that the ledger has reserved for one gateway from an account's monthly quota. The gateway
 * serves them without asking the ledger. Each request is first reserved for a caller, then served or released. Performs
 * no IO and reads no clock.
 */
import type { AccountId } from "@matchpoint/domain/accounts"
import type { LeaseReport, UsageLine } from "@matchpoint/domain/metering/leases"
import { type Day, dayOf, type Period, periodEnd, periodOfDay, periodStart } from "@matchpoint/domain/metering/periods"

interface Line {
  readonly day: Day
  requests: number
  streamTicks: number
  /** Requests and ticks that the ledger has accepted. */
  reported: number
  /** Ticks in `reported`. */
  reportedTicks: number
}

export class Lease {
  readonly period: Period
  // A request accesses only the following fields, which are adjacent in memory. An account's data is usually evicted
  // from the processor's caches between two of its requests.
  /** Requests granted and not given back, and those served without a grant that the ledger has accepted since. */
  #size = 0
  /** Requests reserved without a grant that the ledger has not accepted yet. */
  #owed = 0
  #used = 0
  #reserved = 0
  /** Day of the last served request. `#requests` and `#streamTicks` are not in the day's entry of `#lines` yet. */
  #day: Day | undefined
  #requests = 0
  lowThreshold = 0
  /** Requests of the quota that no gateway has been granted yet, as last reported by the ledger. Undefined if unknown. */
  #ungranted: number | undefined = undefined
  #streamTicks = 0
  readonly #runsLow: (lease: Lease) => void
  readonly #lines: Array<Line> = []
  #revision = 0
  #settledRevision = 0
  readonly leaseId: string
  readonly accountId: AccountId

  /** `take` calls `runsLow` when fewer requests are available than `setLowThreshold` was given. */
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

  /** Requests and ticks served from the granted requests. */
  get used(): number {
    return this.#used
  }

  get owed(): number {
    return this.#owed
  }

  /** True if another report is necessary: usage has not been reported, or the last report may not have been applied. */
  get dirty(): boolean {
    return (
      this.#owed > 0 ||
      this.#settledRevision < this.#revision ||
      this.#requests + this.#streamTicks > 0 ||
      this.#lines.some((line) => line.requests + line.streamTicks > line.reported)
    )
  }

  get unreportedTicks(): number {
    return this.#lines.reduce((sum, line) => sum + line.streamTicks - line.reportedTicks, this.#streamTicks)
  }

  /** Requests left of the monthly `quota`, as far as this gateway knows. */
  remaining(quota: number): number {
    return this.#ungranted === undefined ? quota : Math.min(quota, this.#ungranted + Math.max(0, this.available))
  }

  setUngranted(left: number | undefined): void {
    this.#ungranted = left
  }

  setLowThreshold(available: number): void {
    this.lowThreshold = available
  }

  /** Returns false if no request is available. Calls `runsLow` below the threshold. */
  take(): boolean {
    if (!this.reserve()) return false
    if (this.available < this.lowThreshold) this.#runsLow(this)
    return true
  }

  /** Returns false if no request is available. */
  reserve(): boolean {
    if (this.available <= 0) return false
    this.#reserved += 1
    return true
  }

  /** If no request is available, one is owed to the ledger and counts as granted when the ledger has accepted it. */
  reserveInGrace(): void {
    if (this.reserve()) return
    this.#owed += 1
    this.#reserved += 1
  }

  /** `today` is a day by the ledger's clock. Outside of the lease's month, the nearest day of that month counts. */
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

  release(): void {
    this.#reserved -= 1
  }

  /**
   * `giveBack` requests are removed at once, never those reserved for a caller. `withheldTicks` stay for a later
   * report, the newest first.
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

  /** Applies an accepted report. `granted` is the number of requests added to the lease. */
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

  /** A day must not have two entries, even if the ledger's clock goes back across midnight: an entry is the total of its day. */
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
