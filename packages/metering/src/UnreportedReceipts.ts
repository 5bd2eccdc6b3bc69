/**
 * Stream receipts of one account that have not been reported to the ledger yet. There is one receipt per session and
 * month, with its number of unreported billing ticks (charges per 15 s of streaming). Each report to the ledger
 * contains a batch of receipts of limited size. It leaves out the ticks of all receipts that are not in the batch, so
 * that after every report the billed usage equals the sum of the reported receipts. Performs no IO.
 */
import type { StreamReceipt } from "@matchpoint/domain/metering/leases"
import type { Period } from "@matchpoint/domain/metering/periods"

/** A stream receipt, with the number of its charges (billing ticks) that have not been reported to the ledger. */
export interface UnreportedReceipt {
  readonly receipt: StreamReceipt
  readonly ticks: number
}

export interface ReceiptPart {
  readonly receipts: ReadonlyArray<UnreportedReceipt>
  /** For each month, the number of unreported charges (billing ticks) of the receipts that are not in this batch. */
  readonly heldBack: ReadonlyMap<Period, number>
}

export class UnreportedReceipts {
  readonly #bySession = new Map<string, UnreportedReceipt>()
  /** For each month, the number of unreported charges (billing ticks) of all receipts. */
  readonly #ticks = new Map<Period, number>()

  get size(): number {
    return this.#bySession.size
  }

  /**
   * Adds a receipt, which replaces the previous one of the same session and month. `charged` is the number of charges
   * (one per 15 s of streaming) since the previous receipt.
   */
  add(receipt: StreamReceipt, charged: number): void {
    const key = keyOf(receipt)
    this.#bySession.set(key, { receipt, ticks: (this.#bySession.get(key)?.ticks ?? 0) + charged })
    this.#count(receipt.period, charged)
  }

  /**
   * Returns at most `most` receipts, oldest first. Later calls return the same receipts again until these are passed to
   * `settled`.
   */
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

  /**
   * Removes receipts that the ledger has accepted. If a receipt has changed after it was reported, it is kept, and only
   * the accepted charges are subtracted from its unreported ones.
   */
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
