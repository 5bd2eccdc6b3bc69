/**
 * One account at one gateway: its leases, who waits for more of them, the receipts of its streams. Plain data with a clock; the pump
 * (LedgerPump.ts) carries what it wants to the ledger and back.
 */
import { QuotaExceeded, ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import type { Customer } from "@matchpoint/domain/accounts"
import { graceOf, type LeaseAnswer, type LeaseReport, leaseSize, type StreamReceipt } from "@matchpoint/domain/metering/leases"
import type { Period } from "@matchpoint/domain/metering/periods"
import { Lease } from "./Lease.ts"
import type { LedgerClock } from "./LedgerClock.ts"
import { type Unsaid, UnsaidReceipts } from "./UnsaidReceipts.ts"

/** Somebody who needs one request that the lease did not have. Exactly one of the two is called, once, unless he leaves before. */
export interface Waiter {
  readonly served: (lease: Lease) => void
  readonly refused: (error: QuotaExceeded | ServiceUnavailable) => void
}

/** What an account has to say to the ledger. */
export interface Words {
  readonly leases: ReadonlyArray<LeaseReport>
  readonly receipts: ReadonlyArray<Unsaid>
  /** There were more receipts than could be said at once. */
  readonly isPart: boolean
}

/** After the ledger had nothing left it is not asked again for this long. */
const EXHAUSTED_MS = 1_000
/** More is fetched ahead of need only for accounts that were used within this. Whoever reserves often says so once a second. */
const BUSY_MS = 2_000

export interface MeterHost {
  readonly gatewayId: string
  readonly clock: LedgerClock
  /** Milliseconds that never go back. */
  readonly monotonic: () => number
  readonly newLeaseId: () => string
  /** The account wants something of the ledger: now if it `isShort` or somebody waits, else with whatever is said next. */
  readonly wake: (account: AccountMeter) => void
  /** The ledger did not answer when it was asked last. */
  readonly isDown: () => boolean
  /** Down, but not for longer than grace lasts. */
  readonly inGrace: () => boolean
}

export class AccountMeter {
  readonly #host: MeterHost
  #lease: Lease | undefined
  /** Of the quota, not given out when the ledger last spoke. Undefined: it has never spoken of this account. */
  #left: number | undefined
  /** As the ledger has it. */
  #quota: number
  #leaseSize: number
  /** As whoever asked last brought it. */
  #customer: Customer
  /** Monotonic. */
  #lastUsedAt: number
  /** Of months that are over: kept until the ledger has all of them. */
  #old: Array<Lease> = []
  /** Served in order. A set, so that leaving is cheap, also in the middle of being served. */
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

  /** Monotonic, to a second. */
  get lastUsedAt(): number {
    return this.#lastUsedAt
  }

  /** Somebody of the account is about to use it. `customer`: his terms. */
  usedBy(customer: Customer, moment: number): void {
    this.#customer = customer
    this.#lastUsedAt = moment
  }

  /**
   * Requests left in the month, as far as is known here. Streams bring terms that may be older: the ledger's quota counts. `moment`: now,
   * monotonic.
   */
  remaining(moment: number): number {
    if (this.#left === undefined) return this.#customer.requestsPerMonth
    return this.#current(moment)?.remaining(this.#quota) ?? Math.min(this.#quota, this.#left)
  }

  get waiting(): number {
    return this.#waiters.size
  }

  /** Receipts that the ledger does not have yet. */
  get unsaidReceipts(): number {
    return this.#receipts.size
  }

  get dirty(): boolean {
    return this.#receipts.size > 0 || this.#lease?.dirty === true || this.#old.some(isUnsaid)
  }

  /** Something that the ledger should be asked for. */
  get wantsMore(): boolean {
    if (this.waiting > 0) return true
    const lease = this.#current()
    return lease !== undefined && this.#want(lease) > 0
  }

  /** It should be asked without delay. */
  get isShort(): boolean {
    return this.waiting > 0 || (this.#lease !== undefined && this.#lease.available < this.#leaseSize / 4)
  }

  /** Nothing is open, held or unsaid. */
  get forgettable(): boolean {
    if (this.dirty || this.waiting > 0 || this.#old.length > 0) return false
    return this.#lease === undefined || this.#lease.reserved + this.#lease.available === 0
  }

  /**
   * The fast path: one of the lease, at once. Undefined: `wait`. `moment`: now, monotonic. For as long as it is the same month, more may be
   * taken from the same lease.
   */
  reserve(moment: number): Lease | undefined {
    const lease = this.#current(moment)
    return lease?.take() === true ? lease : undefined
  }

  /** One as soon as the ledger has given more. Answers at once where it is known to have nothing, or not to answer. */
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

  /** The waiter has left: it is neither served nor refused any more. */
  leave(waiter: Waiter): void {
    this.#waiters.delete(waiter)
  }

  /** Says what a stream has cost so far. `charged`: ticks since its last receipt, served from a lease of the receipt's month. */
  receipt(receipt: StreamReceipt, charged: number): void {
    this.#receipts.add(receipt, charged)
  }

  /**
   * What the ledger should hear, with at most so many receipts, and be asked for. `idle`: the lease is not needed any more. Call `settled` with
   * it, or never: until it is settled all of it is said again.
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

  /** The ledger has taken the words, in the month `period`. */
  settled(words: Words, answers: ReadonlyMap<string, LeaseAnswer>, period: Period): void {
    this.#receipts.settled(words.receipts)
    for (const report of words.leases) this.#settledLease(report, answers.get(report.leaseId), period)
    this.#lease?.tellBelow(this.#low)
    this.#old = this.#old.filter((lease) => lease.reserved > 0 || isUnsaid(lease))
    this.#serveWaiters()
  }

  /** The ledger does not answer: nobody waits for it. */
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
   * Without the ledger: what is left of the lease, then grace, for accounts whose quota was not used up when the ledger last spoke.
   * Free accounts have none.
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

  /** The lease of the current month; one of a month that is over is put aside. */
  #current(moment: number = this.#host.monotonic()): Lease | undefined {
    const lease = this.#lease
    const { clock } = this.#host
    if (lease === undefined || lease.period === clock.period(clock.now(moment))) return lease
    this.#old.push(lease)
    this.#lease = undefined
    // Of the new month nothing is given out, as far as is known.
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

  /** Said once when three quarters are left, once when one is; until the ledger has spoken. */
  #runsLow(lease: Lease): void {
    if (lease !== this.#lease) return
    lease.tellBelow(this.isShort ? 0 : this.#leaseSize / 4)
    this.#host.wake(this)
  }

  /** A lease that has been used is filled up when the ledger hears of it anyway; so most accounts never ask by themselves. */
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

/** Of a month that is over: something the ledger should hear of it. */
const isUnsaid = (lease: Lease): boolean => lease.dirty || lease.available > 0
