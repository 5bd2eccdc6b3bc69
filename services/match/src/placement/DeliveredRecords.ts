/**
 * Sequences of the records that a partition's consumer has passed on, for the matches whose intake has asked. The
 * intake asks at each request, so only the newest ones are kept.
 */
import type { LogRecord } from "@matchpoint/bus/EventLog"

/** Sequences per match. If more arrive before the intake asks again, they are forgotten. */
const CAPACITY = 4_096

interface Delivered {
  /** Every later record of the match is in the list or will be added to it. */
  holdsFrom: number
  sequences: Array<number>
}

export class DeliveredRecords {
  readonly #bySubject = new Map<string, Delivered>()

  add({ sequence, subject }: LogRecord): void {
    const delivered = this.#bySubject.get(subject)
    if (delivered === undefined) return
    if (delivered.sequences.length < CAPACITY) delivered.sequences.push(sequence)
    else this.#bySubject.delete(subject)
  }

  /**
   * Records of a subject after `sequence`; those before are forgotten. Undefined if some may be missing. `position` is
   * the sequence up to which all records of the partition have been passed on.
   */
  after(subject: string, sequence: number, position: number): ReadonlyArray<number> | undefined {
    const delivered = this.#bySubject.get(subject) ?? { holdsFrom: position, sequences: [] }
    this.#bySubject.set(subject, delivered)
    if (sequence < delivered.holdsFrom) return undefined
    const next = delivered.sequences.findIndex((one) => one > sequence)
    delivered.sequences = next === -1 ? [] : delivered.sequences.slice(next)
    delivered.holdsFrom = sequence
    return delivered.sequences
  }

  forget(subject: string): void {
    this.#bySubject.delete(subject)
  }

  clear(): void {
    this.#bySubject.clear()
  }
}
