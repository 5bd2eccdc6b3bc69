/** One open stream and what it has been charged. Plain data; StreamMeter.ts charges it. */
import type { Customer } from "@matchpoint/domain/accounts"
import type { StreamChannel, StreamReceipt } from "@matchpoint/domain/metering/leases"
import type { Period } from "@matchpoint/domain/metering/periods"
import type { Refused } from "./Meter.ts"

interface Month {
  readonly ticks: number
  readonly lastTickAt: number
}

/** What a stream is held by. */
export interface SessionHolder {
  /** The quota is used up, or usage cannot be metered: the stream must end and say why. Called once at most, not after `close`. */
  readonly refused: (error: Refused, session: StreamSession) => void
}

export class StreamSession {
  readonly sessionId: string
  readonly customer: Customer
  readonly channel: StreamChannel
  /** Ledger's clock, epoch ms. */
  readonly openedAt: number
  /** The first whole second, by the process's clock, that was not before the opening: its intervals begin here. */
  readonly openedSecond: number
  period: Period
  /** Charged in `period`. */
  ticks = 0
  lastTickAt: number
  closed = false
  /** A charge is on its way. */
  charging = false
  /** An object and not a function, because a closure per stream would cost 96 bytes. */
  holder: SessionHolder | undefined
  /** Months before, of a stream that was open at the end of one. */
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

  /** One more, in the month `period`. */
  charged(period: Period, now: number): void {
    if (period !== this.period) this.#turn(period)
    this.ticks += 1
    this.lastTickAt = now
  }

  /** Of the current month. */
  receipt(closedAt: number | null): StreamReceipt {
    return this.#receiptOf(this.period, this, closedAt)
  }

  /** Of every month it was charged in; one, nearly always. */
  receipts(closedAt: number | null): ReadonlyArray<StreamReceipt> {
    const current = this.receipt(closedAt)
    if (this.#earlier === undefined) return [current]
    return [current, ...Array.from(this.#earlier, ([period, month]) => this.#receiptOf(period, month, closedAt))]
  }

  /** Ticks are kept by month, for a correction of the ledger's clock may go back into the month before. */
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
