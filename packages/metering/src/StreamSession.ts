/** One open stream and its charges. Plain data; StreamMeter.ts makes the charges. */
import type { Customer } from "@matchpoint/domain/accounts"
import type { StreamChannel, StreamReceipt } from "@matchpoint/domain/metering/leases"
import type { Period } from "@matchpoint/domain/metering/periods"
import type { Refused } from "./Meter.ts"

interface Month {
  readonly ticks: number
  readonly lastTickAt: number
}

/** The connection that owns a session. */
export interface SessionHolder {
  /**
   * Called if the quota is used up or usage cannot be metered. The stream must end and report the reason. Called at
   * most once, and not after `close`.
   */
  readonly refused: (error: Refused, session: StreamSession) => void
}

export class StreamSession {
  readonly sessionId: string
  readonly customer: Customer
  readonly channel: StreamChannel
  /** Time of the opening in epoch milliseconds, by the ledger's clock. */
  readonly openedAt: number
  /**
   * First whole second at or after the opening, by the process's monotonic clock. The session's 15-second intervals
   * start here.
   */
  readonly openedSecond: number
  period: Period
  /** Ticks charged in `period`. */
  ticks = 0
  lastTickAt: number
  closed = false
  /** True while a charge waits for the ledger. */
  charging = false
  /** An object rather than a function, because a closure per stream would cost 96 bytes. */
  holder: SessionHolder | undefined
  /** Charges of other months, if the stream was open at the end of a month. */
  #earlier: Map<Period, Month> | undefined

  constructor(options: {
    readonly sessionId: string
    readonly customer: Customer
    readonly channel: StreamChannel
    readonly openedAt: number
    readonly openedSecond: number
    readonly period: Period
  }) {
    this.sessionId = options.sessionId
    this.customer = options.customer
    this.channel = options.channel
    this.openedAt = options.openedAt
    this.openedSecond = options.openedSecond
    this.period = options.period
    this.lastTickAt = options.openedAt
  }

  /** Counts one more tick in the month `period`. */
  charged(period: Period, now: number): void {
    if (period !== this.period) this.#turn(period)
    this.ticks += 1
    this.lastTickAt = now
  }

  /** Returns the receipt of the current month. */
  receipt(closedAt: number | null): StreamReceipt {
    return this.#receiptOf(this.period, this, closedAt)
  }

  /** Returns the receipt of every month with charges: nearly always one. */
  receipts(closedAt: number | null): ReadonlyArray<StreamReceipt> {
    const current = this.receipt(closedAt)
    if (this.#earlier === undefined) return [current]
    return [current, ...Array.from(this.#earlier, ([period, month]) => this.#receiptOf(period, month, closedAt))]
  }

  /**
   * Switches to another month. Ticks are stored by month, because a correction of the ledger's clock may go back to the
   * previous month.
   */
  #turn(period: Period): void {
    this.#earlier ??= new Map()
    if (this.ticks > 0) this.#earlier.set(this.period, { ticks: this.ticks, lastTickAt: this.lastTickAt })
    this.period = period
    this.ticks = this.#earlier.get(period)?.ticks ?? 0
    this.#earlier.delete(period)
  }

  #receiptOf(period: Period, { lastTickAt, ticks }: Month, closedAt: number | null): StreamReceipt {
    return {
      sessionId: this.sessionId,
      accountId: this.customer.accountId,
      keyId: this.customer.keyId,
      period,
      channel: this.channel,
      openedAt: this.openedAt,
      ticks,
      lastTickAt,
      closedAt,
    }
  }
}
