/**
 * The dedupe window of one local log: a map from id to sequence. It has two generations instead of a time per id. An id
 * is remembered for one to two windows, and expiry costs nothing per append. Memory: about 100 bytes per id appended in
 * that time.
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
    // A negative age means that the clock jumped back. Without this check, ids would then be kept until the clock
    // catches up.
    if (age >= 0 && age < dedupeWindowMillis) return
    this.previous = age < 2 * dedupeWindowMillis ? this.current : new Map()
    this.current = new Map()
    this.rotatedAt = now
  }
}
