/**
 * One account at one gateway: its leases, the requests that wait for more, and the receipts of its streams. Plain data
 * with a clock. The pump (LedgerPump.ts) exchanges its reports with the ledger.
 */
import { QuotaExceeded, ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import type { Customer } from "@matchpoint/domain/accounts"
import { graceOf, type LeaseAnswer, type LeaseReport, leaseSize, type StreamReceipt } from "@matchpoint/domain/metering/leases"
import type { Period } from "@matchpoint/domain/metering/periods"
import { Lease } from "./Lease.ts"
import type { LedgerClock } from "./LedgerClock.ts"
import { type Unsaid, UnsaidReceipts } from "./UnsaidReceipts.ts"

/**
 * A caller that waits for a request which the lease did not have. One of the two callbacks is called, once, unless the
 * waiter leaves first.
 */
export interface Waiter {
  readonly served: (lease: Lease) => void
  readonly refused: (error: QuotaExceeded | ServiceUnavailable) => void
}

/** One report of an account to the ledger. */
export interface Words {
  readonly leases: ReadonlyArray<LeaseReport>
  readonly receipts: ReadonlyArray<Unsaid>
  /** True if the account had more receipts than fit into this report. */
  readonly isPart: boolean
}

/** Milliseconds for which the ledger is not asked again after it had nothing left to grant. */
const EXHAUSTED_MS = 1_000
/**
 * A lease is refilled in advance only if the account was used within this many milliseconds. Callers that reserve often
 * update the time of use only once a second.
 */
const BUSY_MS = 2_000

export interface MeterHost {
  readonly gatewayId: string
  readonly clock: LedgerClock
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic: () => number
  readonly newLeaseId: () => string
  /**
   * Registers the account for an exchange with the ledger. If the account `isShort` or has waiters, the exchange starts
   * soon. Otherwise the account joins the next one.
   */
  readonly wake: (account: AccountMeter) => void
  /** Returns true if the last exchange with the ledger failed. */
  readonly isDown: () => boolean
  /** Returns true if the ledger is down and the grace period is not over. */
  readonly inGrace: () => boolean
}

export class AccountMeter {
  readonly #host: MeterHost
  #lease: Lease | undefined
  /** Requests of the quota not given out, by the ledger's last response. Undefined before the first response. */
  #left: number | undefined
  /** Monthly quota, by the ledger's last response. */
  #quota: number
  #leaseSize: number
  /** Terms of the most recent caller. */
  #customer: Customer
  /** Time of the last use, in monotonic milliseconds. */
  #lastUsedAt: number
  /** Leases of past months, kept until the ledger has all of their usage. */
  #old: Array<Lease> = []
  /**
   * Waiting callers, served in order. A set, so that removing one is cheap, even while the waiters are being served.
   */
  readonly #waiters = new Set<Waiter>()
  #exhaustedUntil = Number.NEGATIVE_INFINITY
  readonly #receipts = new UnsaidReceipts()

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

  /** Time of the last use, in monotonic milliseconds. Accurate to one second. */
  get lastUsedAt(): number {
    return this.#lastUsedAt
  }

  /** Records that the account is about to be used. `customer` has its current terms. */
  usedBy(customer: Customer, moment: number): void {
    this.#customer = customer
    this.#lastUsedAt = moment
  }

  /**
   * Requests left in the month, as far as known here. The ledger's quota takes precedence, because the terms of a
   * stream may be older. `moment` is the current monotonic time.
   */
  remaining(moment: number): number {
    if (this.#left === undefined) return this.#customer.requestsPerMonth
    return this.#current(moment)?.remaining(this.#quota) ?? Math.min(this.#quota, this.#left)
  }

  get waiting(): number {
    return this.#waiters.size
  }

  /** Number of receipts that the ledger does not have yet. */
  get unsaidReceipts(): number {
    return this.#receipts.size
  }

  get dirty(): boolean {
    return this.#receipts.size > 0 || this.#lease?.dirty === true || this.#old.some(isUnsaid)
  }

  /** True if the ledger should be asked for more requests. */
  get wantsMore(): boolean {
    if (this.waiting > 0) return true
    const lease = this.#current()
    return lease !== undefined && this.#want(lease) > 0
  }

  /** True if the ledger should be asked without delay. */
  get isShort(): boolean {
    return this.waiting > 0 || (this.#lease !== undefined && this.#lease.available < this.#leaseSize / 4)
  }

  /** True if the account has nothing open, reserved or unreported. */
  get forgettable(): boolean {
    if (this.dirty || this.waiting > 0 || this.#old.length > 0) return false
    return this.#lease === undefined || this.#lease.reserved + this.#lease.available === 0
  }

  /**
   * Fast path: reserves one request of the lease at once. If it returns undefined, call `wait`. `moment` is the current
   * monotonic time. Until the month ends, the caller may take more from the returned lease.
   */
  reserve(moment: number): Lease | undefined {
    const lease = this.#current(moment)
    return lease?.take() === true ? lease : undefined
  }

  /**
   * Serves the waiter one request as soon as the ledger grants more. Decides at once if the ledger is known to have
   * nothing left or to be down.
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

  /** Removes a waiter, which is then neither served nor rejected. */
  leave(waiter: Waiter): void {
    this.#waiters.delete(waiter)
  }

  /**
   * Stores the current cost of a stream. `charged`: ticks since its previous receipt, served from a lease of the
   * receipt's month.
   */
  receipt(receipt: StreamReceipt, charged: number): void {
    this.#receipts.add(receipt, charged)
  }

  /**
   * Builds the next report to the ledger: usage, the requests wanted, and at most `mostReceipts` receipts. `idle` means
   * that the lease is no longer needed. Pass the report to `settled` once the ledger has accepted it. Until then, later
   * reports repeat its content.
   */
  report(idle: boolean, mostReceipts: number): Words {
    const { gatewayId } = this.#host
    const { heldBack, said } = this.#receipts.part(mostReceipts)
    const left = new Map(heldBack)
    const heldFrom = (lease: Lease): number => {
      const held = Math.min(left.get(lease.period) ?? 0, lease.unsaidTicks)
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
    const old = this.#old.filter(isUnsaid).map((one) => one.report(gatewayId, 0, one.available, heldFrom(one)))
    const leases = [...old, ...current]
    return { leases, receipts: said, isPart: said.length < this.#receipts.size }
  }

  /** Applies the ledger's response to a report, given in the month `period`. */
  settled(words: Words, answers: ReadonlyMap<string, LeaseAnswer>, period: Period): void {
    this.#receipts.settled(words.receipts)
    for (const report of words.leases) this.#settledLease(report, answers.get(report.leaseId), period)
    this.#lease?.tellBelow(this.#low)
    this.#old = this.#old.filter((lease) => lease.reserved > 0 || isUnsaid(lease))
    this.#serveWaiters()
  }

  /** Handles a ledger that does not respond: every waiter is served in grace or rejected at once. */
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
      lease.hasBesides(answer.left)
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

  /**
   * Serves a waiter without the ledger: from the rest of the lease, then in grace. Grace requires a paid plan and a
   * quota that was not used up at the ledger's last response.
   */
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

  /** Returns the lease of the current month. A lease of a past month is moved to `#old`. */
  #current(moment: number = this.#host.monotonic()): Lease | undefined {
    const lease = this.#lease
    const { clock } = this.#host
    if (lease === undefined || lease.period === clock.period(clock.now(moment))) return lease
    this.#old.push(lease)
    this.#lease = undefined
    // As far as known here, nothing of the new month's quota is given out.
    if (this.#left !== undefined) this.#left = this.#quota
    this.#exhaustedUntil = Number.NEGATIVE_INFINITY
    return undefined
  }

  #open(): Lease {
    const { clock, newLeaseId } = this.#host
    const lease = new Lease(newLeaseId(), this.#customer.accountId, clock.period(), (low) => this.#runsLow(low))
    lease.hasBesides(this.#left)
    lease.tellBelow(this.#low)
    this.#lease = lease
    return lease
  }

  /**
   * Wakes the pump when fewer than three quarters of a lease are left, and again below one quarter. Each happens once
   * until the ledger responds.
   */
  #runsLow(lease: Lease): void {
    if (lease !== this.#lease) return
    lease.tellBelow(this.isShort ? 0 : this.#leaseSize / 4)
    this.#host.wake(this)
  }

  /**
   * Number of available requests below which the lease is refilled: three quarters of its size, 0 for leases of one
   * request. Such a lease joins the next exchange of any account, so most accounts never start an exchange themselves.
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

/** Returns true if a lease of a past month has something left to report. */
const isUnsaid = (lease: Lease): boolean => lease.dirty || lease.available > 0
