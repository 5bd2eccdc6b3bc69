/**
 * Stream receipts of one account that the ledger does not have yet, one per session and month, with their unreported
 * ticks. A report contains a batch of limited size and leaves out the ticks of all other receipts, so that after every
 * report the billed usage equals the sum of the reported receipts. Performs no IO.
 */
import type { StreamReceipt } from "@matchpoint/domain/metering/leases"
import type { Period } from "@matchpoint/domain/metering/periods"

export interface UnreportedReceipt {
  readonly receipt: StreamReceipt
  readonly ticks: number
}

export interface ReceiptPart {
  readonly receipts: ReadonlyArray<UnreportedReceipt>
  /** Unreported ticks, by month, of the receipts that are not in this batch. */
  readonly heldBack: ReadonlyMap<Period, number>
}

export class UnreportedReceipts {
  readonly #bySession = new Map<string, UnreportedReceipt>()
  /** Unreported ticks of all receipts, by month. */
  readonly #ticks = new Map<Period, number>()

  get size(): number {
    return this.#bySession.size
  }

  /** Replaces the previous receipt of the session and month. `charged` is the number of ticks since then. */
  add(receipt: StreamReceipt, charged: number): void {
    const key = keyOf(receipt)
    this.#bySession.set(key, { receipt, ticks: (this.#bySession.get(key)?.ticks ?? 0) + charged })
    this.#count(receipt.period, charged)
  }

  /** Returns at most `most` receipts, oldest first, and the same ones again until they are passed to `settled`. */
  part(most: number): ReceiptPart {
    const receipts: Array<UnreportedReceipt> = []
    const heldBack = new Map(this.#ticks)
    for (const unreported of this.#bySession.values()) {
      if (receipts.length >= most) break
      receipts.push(unreported)
      const { period } = unreported.receipt
      heldBack.set(period, (heldBack.get(period) ?? 0) - unreported.ticks)
    }
    return { receipts, heldBack }
  }

  /** A receipt that has changed since it was reported is kept, less the accepted ticks. */
  settled(accepted: ReadonlyArray<UnreportedReceipt>): void {
    for (const one of accepted) {
      const key = keyOf(one.receipt)
      const now = this.#bySession.get(key)
      if (now === undefined) continue
      if (now === one) this.#bySession.delete(key)
      else this.#bySession.set(key, { receipt: now.receipt, ticks: now.ticks - one.ticks })
      this.#count(one.receipt.period, -one.ticks)
    }
  }

  #count(period: Period, ticks: number): void {
    const sum = (this.#ticks.get(period) ?? 0) + ticks
    if (sum === 0) this.#ticks.delete(period)
    else this.#ticks.set(period, sum)
  }
}

const keyOf = ({ period, sessionId }: StreamReceipt): string => `${sessionId} ${period}`
