/** One open stream and its charges. StreamMeter.ts decides when to charge. Performs no IO. */
import type { Customer } from "@matchpoint/domain/accounts"
import type { StreamChannel, StreamReceipt } from "@matchpoint/domain/metering/leases"
import type { Period } from "@matchpoint/domain/metering/periods"
import type { Refused } from "./Meter.ts"

interface Month {
  readonly ticks: number
  readonly lastTickAt: number
}

export interface SessionOwner {
  /**
   * The connection must end the stream and report the reason. Called at most once, and never after the session closed.
   */
  readonly refused: (error: Refused, session: StreamSession) => void
}

export class StreamSession {
  readonly sessionId: string
  readonly customer: Customer
  readonly channel: StreamChannel
  /** Epoch milliseconds of the ledger's clock. */
  readonly openedAt: number
  /** First whole second at or after the opening, on the monotonic clock. The 15-second intervals start here. */
  readonly openedSecond: number
  period: Period
  /** Ticks in the month `period`. */
  ticks = 0
  lastTickAt: number
  closed = false
  /** True if the next tick is free, because the charge for connecting was not due. */
  isCredited = false
  charging = false
  /** An object and not a callback, because a closure would cost 96 bytes per stream. */
  holder: SessionOwner | undefined
  /** Months other than `period`. Set only if the stream was open when a month ended. */
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

  charged(period: Period, now: number): void {
    if (period !== this.period) this.#turn(period)
    this.ticks += 1
    this.lastTickAt = now
  }

  /** Returns the receipt of the current month. */
  receipt(closedAt: number | null): StreamReceipt {
    return this.#receiptOf(this.period, this, closedAt)
  }

  /** Returns one receipt per month with charges, nearly always only one. */
  receipts(closedAt: number | null): ReadonlyArray<StreamReceipt> {
    const current = this.receipt(closedAt)
    if (this.#earlier === undefined) return [current]
    return [current, ...Array.from(this.#earlier, ([period, month]) => this.#receiptOf(period, month, closedAt))]
  }

  /** Each month is counted separately, because a correction of the ledger's clock may lead back to the previous one. */
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
