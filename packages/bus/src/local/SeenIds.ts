/**
 * The recent record ids of one log, for deduplication. To save a timestamp per id, ids are held in two maps, and the
 * older map is discarded after each dedupe window. An id is therefore remembered for one to two windows, and expiry
 * costs nothing per append. Each id uses about 100 bytes of memory.
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
    // A negative age means that the clock was set back. Ids must not be kept until it has caught up.
    if (age >= 0 && age < dedupeWindowMillis) return
    this.previous = age < 2 * dedupeWindowMillis ? this.current : new Map()
    this.current = new Map()
    this.rotatedAt = now
  }
}
