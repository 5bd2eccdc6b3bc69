/**
 * The dedupe window of one local log: which id got which sequence. Two generations instead of a time per id: an id is remembered
 * for one to two windows, and forgetting costs nothing per append. Memory is what was appended in that time (about 100 bytes an id).
 */
import { dedupeWindowMillis } from "../EventLog.ts"

export class SeenIds {
  private current = new Map<string, number>()
  private previous = new Map<string, number>()
  private rotatedAt: number

  constructor(now: number) {
    this.rotatedAt = now
  }

  find(id: string, now: number): number | undefined {
    this.rotate(now)
    return this.current.get(id) ?? this.previous.get(id)
  }

  add(id: string, sequence: number): void {
    this.current.set(id, sequence)
  }

  private rotate(now: number): void {
    const age = now - this.rotatedAt
    // A clock that jumped back would otherwise keep ids for ever.
    if (age >= 0 && age < dedupeWindowMillis) return
    this.previous = age < 2 * dedupeWindowMillis ? this.current : new Map()
    this.current = new Map()
    this.rotatedAt = now
  }
}
