/**
 * Receipts of an account's streams that the ledger does not have yet, one per session and month, and how many ticks of them it does not know.
 * They are said in parts of bounded size; ticks of receipts outside of a part are held back from its bill, so that bill and receipts agree
 * after every part. Plain data.
 */
import type { StreamReceipt } from "@matchpoint/domain/metering/leases"
import type { Period } from "@matchpoint/domain/metering/periods"

/** A receipt, and how many ticks it has more than the ledger's. */
export interface Unsaid {
  readonly receipt: StreamReceipt
  readonly ticks: number
}

export interface ReceiptPart {
  readonly said: ReadonlyArray<Unsaid>
  /** Ticks of the receipts that were left out, by month. */
  readonly heldBack: ReadonlyMap<Period, number>
}

export class UnsaidReceipts {
  readonly #bySession = new Map<string, Unsaid>()
  /** Of all of them. */
  readonly #ticks = new Map<Period, number>()

  get size(): number {
    return this.#bySession.size
  }

  /** The newest word on a session and month replaces the one before. `charged`: ticks since the session's last receipt. */
  add(receipt: StreamReceipt, charged: number): void {
    const key = keyOf(receipt)
    this.#bySession.set(key, { receipt, ticks: (this.#bySession.get(key)?.ticks ?? 0) + charged })
    this.#count(receipt.period, charged)
  }

  /** The `most` oldest ones. All of them are said again until they are `settled`. */
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

  /** The ledger has taken these. */
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
