/** Metering of one account at one gateway. No IO: LedgerPump.ts exchanges reports. `Meter.ts` explains the terms. */
import { QuotaExceeded, ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import type { Customer } from "@matchpoint/domain/accounts"
import { graceOf, type LeaseAnswer, type LeaseReport, leaseSize, type StreamReceipt } from "@matchpoint/domain/metering/leases"
import type { Period } from "@matchpoint/domain/metering/periods"
import { Lease } from "./Lease.ts"
import type { LedgerClock } from "./LedgerClock.ts"
import { type UnreportedReceipt, UnreportedReceipts } from "./UnreportedReceipts.ts"

/** A caller that waits for more reserved requests. One callback is called once, or none if the caller stops waiting first. */
export interface Waiter {
  readonly served: (lease: Lease) => void
  readonly refused: (error: QuotaExceeded | ServiceUnavailable) => void
}

export interface AccountReport {
  readonly leases: ReadonlyArray<LeaseReport>
  readonly receipts: ReadonlyArray<UnreportedReceipt>
  /** True if the account has more receipts than fit into this report. */
  readonly hasMoreReceipts: boolean
}

/** Pause before asking again after the ledger had none left to grant. */
const EXHAUSTED_MS = 1_000
/**
 * Requests are reserved in advance only for accounts used this recently. Above one second, because frequent callers
 * update the time of the last use only once per second.
 */
const BUSY_MS = 2_000

export interface MeterHost {
  readonly gatewayId: string
  readonly clock: LedgerClock
  /** Milliseconds of a clock that never goes backwards. */
  readonly monotonic: () => number
  readonly newLeaseId: () => string
  /** Starts an exchange soon if callers wait or `needsExchangeSoon`. Otherwise the account joins the next exchange. */
  readonly wake: (account: AccountMeter) => void
  /** True if the last exchange with the ledger failed. */
  readonly isDown: () => boolean
  /** True if the ledger does not respond and the grace period has not ended. */
  readonly inGrace: () => boolean
}

export class AccountMeter {
  readonly #host: MeterHost
  #lease: Lease | undefined
  /** Monthly quota that no gateway has been granted yet, as last reported. Undefined before the first response. */
  #left: number | undefined
  /** Monthly quota as last reported by the ledger. */
  #quota: number
  #leaseSize: number
  /** The terms passed by the most recent caller. */
  #customer: Customer
  /** Time of the last use in monotonic milliseconds. */
  #lastUsedAt: number
  /** Leases of past months, until all of their usage has been reported. */
  #old: Array<Lease> = []
  /** Waiting callers in the order of service. Removing from a set is cheap, even during an iteration. */
  readonly #waiters = new Set<Waiter>()
  #exhaustedUntil = Number.NEGATIVE_INFINITY
  readonly #receipts = new UnreportedReceipts()

  constructor(customer: Customer, host: MeterHost) {
    this.#customer = customer
    this.#host = host
    this.#quota = customer.requestsPerMonth
    this.#leaseSize = leaseSize(customer.requestsPerMonth)
    this.#lastUsedAt = host.monotonic()
  }

  get customer(): Customer {
    return this.#customer
  }

  /** Time of the last use in monotonic milliseconds, accurate to one second. */
  get lastUsedAt(): number {
    return this.#lastUsedAt
  }

  /** Must be called before the account is used. */
  markUsed(customer: Customer, moment: number): void {
    this.#customer = customer
    this.#lastUsedAt = moment
  }

  /**
   * Requests left in the month, as far as this gateway knows. The quota reported by the ledger takes precedence over
   * the terms in `#customer`, which are outdated for a long-lived stream.
   */
  remaining(moment: number): number {
    if (this.#left === undefined) return this.#customer.requestsPerMonth
    return this.#current(moment)?.remaining(this.#quota) ?? Math.min(this.#quota, this.#left)
  }

  get waiting(): number {
    return this.#waiters.size
  }

  get unreportedReceipts(): number {
    return this.#receipts.size
  }

  get hasUnreported(): boolean {
    return this.#receipts.size > 0 || this.#lease?.dirty === true || this.#old.some(isUnreported)
  }

  get wantsMore(): boolean {
    if (this.waiting > 0) return true
    const lease = this.#current()
    return lease !== undefined && this.#want(lease) > 0
  }

  /** True if callers are waiting, or less than a quarter of the reserved requests is left. */
  get needsExchangeSoon(): boolean {
    return this.waiting > 0 || (this.#lease !== undefined && this.#lease.available < this.#leaseSize / 4)
  }

  /** True if no caller is waiting, no requests are reserved or available, and everything has been reported. */
  get isRemovable(): boolean {
    if (this.hasUnreported || this.waiting > 0 || this.#old.length > 0) return false
    return this.#lease === undefined || this.#lease.reserved + this.#lease.available === 0
  }

  /**
   * If it returns undefined, call `wait`. Until the month ends, the caller may take further requests from the lease.
   */
  reserve(moment: number): Lease | undefined {
    const lease = this.#current(moment)
    return lease?.take() === true ? lease : undefined
  }

  /**
   * Serves the caller as soon as the ledger grants more. If the ledger does not respond, or had nothing left to grant a
   * moment ago, the caller is at once served in grace or rejected.
   */
  wait(waiter: Waiter): void {
    const now = this.#host.monotonic()
    this.#lastUsedAt = now
    const lease = this.reserve(now)
    if (lease !== undefined) {
      waiter.served(lease)
    } else if (this.#host.isDown()) {
      this.#serveInGrace(waiter)
    } else if (now < this.#exhaustedUntil) {
      waiter.refused(this.#exceeded())
    } else {
      this.#waiters.add(waiter)
      this.#host.wake(this)
    }
  }

  /** None of its callbacks will be called. */
  leave(waiter: Waiter): void {
    this.#waiters.delete(waiter)
  }

  /**
   * `charged`: ticks since the previous receipt of this stream. They must have been served from a lease of the receipt's
   * month.
   */
  receipt(receipt: StreamReceipt, charged: number): void {
    this.#receipts.add(receipt, charged)
  }

  /**
   * Builds the next report, with at most `mostReceipts` stream receipts. If `idle` is true, the unused requests are
   * given back. When the ledger has accepted the report, pass it to `settled`. Until then, later reports contain the
   * same data again.
   */
  report(idle: boolean, mostReceipts: number): AccountReport {
    const { gatewayId } = this.#host
    const { heldBack, receipts } = this.#receipts.part(mostReceipts)
    const left = new Map(heldBack)
    const heldFrom = (lease: Lease): number => {
      const held = Math.min(left.get(lease.period) ?? 0, lease.unreportedTicks)
      left.set(lease.period, (left.get(lease.period) ?? 0) - held)
      return held
    }
    const lease = this.#current() ?? (this.waiting > 0 ? this.#open() : undefined)
    const current: Array<LeaseReport> = []
    if (lease !== undefined) {
      const want = this.#want(lease)
      const giveBack = idle && want === 0 ? lease.available : 0
      if (want > 0 || giveBack > 0 || lease.dirty) current.push(lease.report(gatewayId, want, giveBack, heldFrom(lease)))
    }
    const old = this.#old.filter(isUnreported).map((one) => one.report(gatewayId, 0, one.available, heldFrom(one)))
    const leases = [...old, ...current]
    return { leases, receipts: receipts, hasMoreReceipts: receipts.length < this.#receipts.size }
  }

  /** `period` is the month at the time of the response. */
  settled(words: AccountReport, answers: ReadonlyMap<string, LeaseAnswer>, period: Period): void {
    this.#receipts.settled(words.receipts)
    for (const report of words.leases) this.#settledLease(report, answers.get(report.leaseId), period)
    this.#lease?.setLowThreshold(this.#low)
    this.#old = this.#old.filter((lease) => lease.reserved > 0 || isUnreported(lease))
    this.#serveWaiters()
  }

  /** Every waiting caller is at once served in grace or rejected. */
  failed(): void {
    for (const waiter of this.#waiters) {
      this.#waiters.delete(waiter)
      this.#serveInGrace(waiter)
    }
  }

  #settledLease(report: LeaseReport, answer: LeaseAnswer | undefined, period: Period): void {
    const lease = this.#lease?.leaseId === report.leaseId ? this.#lease : this.#old.find(({ leaseId }) => leaseId === report.leaseId)
    const granted = answer?.granted ?? 0
    lease?.settled(report, granted)
    if (lease === undefined || lease !== this.#lease || lease.period !== period) return
    if (answer !== undefined) {
      this.#quota = answer.quota
      this.#leaseSize = leaseSize(answer.quota)
      this.#left = answer.left
      lease.setUngranted(answer.left)
    }
    if (report.want > 0) this.#exhaustedUntil = granted === 0 ? this.#host.monotonic() + EXHAUSTED_MS : Number.NEGATIVE_INFINITY
  }

  #serveWaiters(): void {
    const lease = this.#current()
    for (const waiter of this.#waiters) {
      if (lease?.reserve() !== true) break
      this.#waiters.delete(waiter)
      waiter.served(lease)
    }
    if (this.#host.monotonic() >= this.#exhaustedUntil) return
    for (const waiter of this.#waiters) {
      this.#waiters.delete(waiter)
      waiter.refused(this.#exceeded())
    }
  }

  /** Grace requires a paid plan and a quota that was not used up according to the ledger's last response. */
  #serveInGrace(waiter: Waiter): void {
    const lease = this.#current()
    if (lease?.reserve() === true) {
      waiter.served(lease)
    } else if (this.#hasGrace()) {
      const owing = lease ?? this.#open()
      owing.reserveInGrace()
      waiter.served(owing)
    } else {
      waiter.refused(ServiceUnavailable.because("usage cannot be metered at the moment; try again"))
    }
  }

  #hasGrace(): boolean {
    if (this.#customer.plan === "free" || this.#left === undefined || this.#left <= 0 || !this.#host.inGrace()) return false
    const owed = this.#old.reduce((sum, lease) => sum + lease.owed, this.#lease?.owed ?? 0)
    return owed < graceOf(this.#quota)
  }

  /** Undefined if there is no lease. If the month has changed, moves the previous one to `#old`. */
  #current(moment: number = this.#host.monotonic()): Lease | undefined {
    const lease = this.#lease
    const { clock } = this.#host
    if (lease === undefined || lease.period === clock.period(clock.now(moment))) return lease
    this.#old.push(lease)
    this.#lease = undefined
    // A new month: as far as this gateway knows, none of its quota has been granted yet.
    if (this.#left !== undefined) this.#left = this.#quota
    this.#exhaustedUntil = Number.NEGATIVE_INFINITY
    return undefined
  }

  #open(): Lease {
    const { clock, newLeaseId } = this.#host
    const lease = new Lease(newLeaseId(), this.#customer.accountId, clock.period(), (low) => this.#runsLow(low))
    lease.setUngranted(this.#left)
    lease.setLowThreshold(this.#low)
    this.#lease = lease
    return lease
  }

  /**
   * Requests an exchange when fewer requests than three quarters of the lease size are available, and again below one
   * quarter; once per level until the ledger responds.
   */
  #runsLow(lease: Lease): void {
    if (lease !== this.#lease) return
    lease.setLowThreshold(this.needsExchangeSoon ? 0 : this.#leaseSize / 4)
    this.#host.wake(this)
  }

  /**
   * Threshold below which more requests are reserved in advance: three quarters of the lease size, or 0 if only one is
   * reserved at a time. Such an account joins the next exchange, so most accounts never start one themselves.
   */
  get #low(): number {
    return this.#leaseSize > 1 ? (this.#leaseSize * 3) / 4 : 0
  }

  #isLow(lease: Lease): boolean {
    return lease.available < this.#low && this.#left !== 0 && !this.#host.isDown()
  }

  #want(lease: Lease): number {
    const missing = this.waiting - Math.max(0, lease.available)
    if (missing > 0) return this.#leaseSize > 1 ? missing + this.#leaseSize : missing
    const now = this.#host.monotonic()
    const isWanted = this.#isLow(lease) && now - this.#lastUsedAt < BUSY_MS && now >= this.#exhaustedUntil
    return isWanted ? this.#leaseSize - Math.max(0, lease.available) : 0
  }

  #exceeded(): QuotaExceeded {
    const { clock } = this.#host
    return QuotaExceeded.of(this.#customer.plan, this.#quota, clock.periodEnd(), clock.now())
  }
}

/** Returns true for a lease of a past month with unreported usage or unused requests, which must be given back. */
const isUnreported = (lease: Lease): boolean => lease.dirty || lease.available > 0
