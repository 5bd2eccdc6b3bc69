/**
 * Receipts of an account's streams that the ledger does not have yet, one per session and month, and the number of
 * ticks it does not know. Receipts are reported in parts of bounded size. The ticks of all other receipts are held back
 * from the bill, so that bill and receipts agree after every part. Plain data.
 */
import type { StreamReceipt } from "@matchpoint/domain/metering/leases"
import type { Period } from "@matchpoint/domain/metering/periods"

/** A receipt, and the number of its ticks that the ledger does not know. */
export interface Unsaid {
  readonly receipt: StreamReceipt
  readonly ticks: number
}

export interface ReceiptPart {
  readonly said: ReadonlyArray<Unsaid>
  /** Ticks of the receipts that are not in this part, by month. */
  readonly heldBack: ReadonlyMap<Period, number>
}

export class UnsaidReceipts {
  readonly #bySession = new Map<string, Unsaid>()
  /** Unreported ticks of all receipts, by month. */
  readonly #ticks = new Map<Period, number>()

  get size(): number {
    return this.#bySession.size
  }

  /**
   * Adds a receipt. It replaces the previous one of the same session and month. `charged`: ticks since that receipt.
   */
  add(receipt: StreamReceipt, charged: number): void {
    const key = keyOf(receipt)
    this.#bySession.set(key, { receipt, ticks: (this.#bySession.get(key)?.ticks ?? 0) + charged })
    this.#count(receipt.period, charged)
  }

  /** Returns the oldest receipts, at most `most`. Until they are `settled`, every later call returns them again. */
  part(most: number): ReceiptPart {
    const said: Array<Unsaid> = []
    const heldBack = new Map(this.#ticks)
    for (const unsaid of this.#bySession.values()) {
      if (said.length >= most) break
      said.push(unsaid)
      const { period } = unsaid.receipt
      heldBack.set(period, (heldBack.get(period) ?? 0) - unsaid.ticks)
    }
    return { said, heldBack }
  }

  /**
   * Removes receipts that the ledger has accepted. If a receipt has changed since, only its accepted ticks are removed.
   */
  settled(said: ReadonlyArray<Unsaid>): void {
    for (const one of said) {
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
