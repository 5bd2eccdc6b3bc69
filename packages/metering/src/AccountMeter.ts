/**
 * One account at one gateway: its lease, who waits for more of it, the receipts of its streams. Plain data with a clock; the pump
 * (Meter.ts) carries what it wants to the ledger and back.
 */
import { QuotaExceeded, ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import type { Customer } from "@matchpoint/domain/accounts"
import { graceOf, type LeaseAnswer, type LeaseReport, leaseSize, type StreamReceipt } from "@matchpoint/domain/metering/leases"
import { Lease } from "./Lease.ts"
import type { LedgerClock } from "./LedgerClock.ts"

/** Somebody who needs one request that the lease did not have. */
export interface Waiter {
  readonly served: (lease: Lease) => void
  readonly refused: (error: QuotaExceeded | ServiceUnavailable) => void
}

/** After the ledger had nothing left it is not asked again for this long. */
const EXHAUSTED_MS = 1_000

export interface MeterHost {
  readonly gatewayId: string
  readonly clock: LedgerClock
  /** Milliseconds that never go back. */
  readonly monotonic: () => number
  readonly newLeaseId: () => string
  /** The account wants something of the ledger, now. */
  readonly wake: (account: AccountMeter) => void
  /** Whether the ledger is not asked for the moment, because it failed. */
  readonly isDown: () => boolean
  /** Down, but not for longer than grace lasts. */
  readonly inGrace: () => boolean
}

export class AccountMeter {
  customer: Customer
  readonly #host: MeterHost
  #lease: Lease | undefined
  /** Of months that are over: kept until the ledger has all of them. */
  #old: Array<Lease> = []
  #waiters: Array<Waiter> = []
  /** Of the quota, not given out by the ledger. */
  #left: number | undefined
  #quota: number
  #exhaustedUntil = 0
  /** Served without the ledger since it answered last. */
  #grace = 0
  /** Monotonic. */
  lastUsedAt: number
  readonly #receipts = new Map<string, StreamReceipt>()

  constructor(customer: Customer, host: MeterHost) {
    this.customer = customer
    this.#host = host
    this.#quota = customer.requestsPerMonth
    this.lastUsedAt = host.monotonic()
  }

  /** Requests left in the month, as far as is known here. */
  get remaining(): number {
    const quota = this.customer.requestsPerMonth
    if (this.#left === undefined) return quota
    return Math.max(0, Math.min(quota, this.#left + Math.max(0, this.#lease?.available ?? 0)))
  }

  get wantsMore(): boolean {
    return this.#waiters.length > 0
  }

  get dirty(): boolean {
    return this.#receipts.size > 0 || this.#lease?.dirty === true || this.#old.length > 0
  }

  /** Nothing is open, held or unsaid. */
  get forgettable(): boolean {
    return !this.dirty && !this.wantsMore && (this.#lease === undefined || this.#lease.reserved + this.#lease.available === 0)
  }

  /** The fast path: one of the lease, at once. Undefined: `wait`. */
  reserve(): Lease | undefined {
    const lease = this.#current()
    if (lease === undefined || !lease.reserve()) return undefined
    this.lastUsedAt = this.#host.monotonic()
    if (this.#isLow(lease)) this.#host.wake(this)
    return lease
  }

  /** One as soon as the ledger has given more. Answers at once where it is known to have nothing, or not to answer. */
  wait(waiter: Waiter): void {
    this.lastUsedAt = this.#host.monotonic()
    if (this.#host.isDown()) {
      this.#serveInGrace(waiter)
    } else if (this.#host.monotonic() < this.#exhaustedUntil) {
      waiter.refused(this.#exceeded())
    } else {
      this.#waiters.push(waiter)
      this.#host.wake(this)
    }
  }

  /** The waiter has left. */
  leave(waiter: Waiter): void {
    const at = this.#waiters.indexOf(waiter)
    if (at !== -1) this.#waiters.splice(at, 1)
  }

  /** Says what a stream has cost so far; the newest word on a session and month replaces the one before. */
  receipt(receipt: StreamReceipt): void {
    this.#receipts.set(`${receipt.sessionId} ${receipt.period}`, receipt)
  }

  /**
   * What the ledger should hear, and be asked for. `idle`: the lease is not needed any more. Call `settled` or `failed` with it before
   * the next one is made.
   */
  report(idle: boolean): { readonly leases: ReadonlyArray<LeaseReport>; readonly receipts: ReadonlyArray<StreamReceipt> } {
    const leases = this.#old.map((lease) => lease.report(this.#host.gatewayId, 0, 0))
    const lease = this.#current() ?? (this.wantsMore ? this.#open() : undefined)
    if (lease !== undefined) {
      const want = this.#want(lease)
      const giveBack = idle && want === 0 ? lease.available : 0
      if (want > 0 || giveBack > 0 || lease.dirty) leases.push(lease.report(this.#host.gatewayId, want, giveBack))
    }
    return { leases, receipts: [...this.#receipts.values()] }
  }

  /** The ledger has taken the reports. */
  settled(reports: ReadonlyArray<LeaseReport>, receipts: ReadonlyArray<StreamReceipt>, answers: ReadonlyMap<string, LeaseAnswer>): void {
    for (const receipt of receipts) {
      const key = `${receipt.sessionId} ${receipt.period}`
      if (this.#receipts.get(key) === receipt) this.#receipts.delete(key)
    }
    this.#grace = 0
    for (const report of reports) {
      const answer = answers.get(report.leaseId)
      const lease = this.#lease?.leaseId === report.leaseId ? this.#lease : this.#old.find(({ leaseId }) => leaseId === report.leaseId)
      lease?.settled(report, answer?.granted ?? 0)
      if (lease !== this.#lease || answer === undefined) continue
      this.#quota = answer.quota
      this.#left = answer.left
      if (report.want > 0 && answer.granted === 0 && lease?.period === this.#host.clock.period()) {
        this.#exhaustedUntil = this.#host.monotonic() + EXHAUSTED_MS
      }
    }
    this.#old = this.#old.filter((lease) => lease.reserved > 0 || lease.dirty)
    this.#serveWaiters()
  }

  /** The ledger did not answer. */
  failed(): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const waiter of waiters) this.#serveInGrace(waiter)
  }

  #serveWaiters(): void {
    const lease = this.#current()
    while (this.#waiters.length > 0 && lease?.reserve() === true) this.#waiters.shift()?.served(lease)
    if (this.#waiters.length === 0 || this.#host.monotonic() >= this.#exhaustedUntil) return
    const waiters = this.#waiters
    this.#waiters = []
    for (const waiter of waiters) waiter.refused(this.#exceeded())
  }

  /**
   * Without the ledger: what is left of the lease, then grace, for accounts whose quota was not used up when the ledger last spoke.
   * Free accounts have none.
   */
  #serveInGrace(waiter: Waiter): void {
    const lease = this.#current()
    if (lease?.reserve() === true) {
      waiter.served(lease)
      return
    }
    const isGood = this.#left !== undefined && this.#left > 0 && this.customer.plan !== "free"
    if (lease === undefined || !isGood || !this.#host.inGrace() || this.#grace >= graceOf(this.#quota)) {
      waiter.refused(ServiceUnavailable.because("usage cannot be metered at the moment; try again"))
      return
    }
    this.#grace += 1
    lease.reserveInGrace()
    waiter.served(lease)
  }

  /** The lease of the current month; one of a month that is over is put aside. */
  #current(): Lease | undefined {
    const lease = this.#lease
    if (lease === undefined || lease.period === this.#host.clock.period()) return lease
    this.#old.push(lease)
    this.#lease = undefined
    this.#left = undefined
    this.#exhaustedUntil = 0
    return undefined
  }

  #open(): Lease {
    const lease = new Lease(this.#host.newLeaseId(), this.customer.accountId, this.#host.clock.period())
    this.#lease = lease
    return lease
  }

  #isLow(lease: Lease): boolean {
    const size = leaseSize(this.#quota)
    return size > 1 && lease.available < size / 4 && this.#left !== 0 && !this.#host.isDown()
  }

  #want(lease: Lease): number {
    const size = leaseSize(this.#quota)
    const missing = this.#waiters.length - Math.max(0, lease.available)
    if (missing > 0) return size > 1 ? missing + size : missing
    return this.#isLow(lease) && this.#host.monotonic() - this.lastUsedAt < 1_000 ? size : 0
  }

  #exceeded(): QuotaExceeded {
    const { clock } = this.#host
    return QuotaExceeded.of(this.customer.plan, this.#quota, clock.periodEnd(), clock.now())
  }
}
