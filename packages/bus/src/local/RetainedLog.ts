/**
 * One log in memory with a size limit: records by sequence, an index by subject, recent ids for deduplication, and
 * waiting cursors. Synchronous. Durability, subject routing and Effect are left to the drivers.
 */
import { dedupeWindowMillis, type LogRecord, type StreamSpec } from "../EventLog.ts"
import { isExact, matcher } from "../Subject.ts"
import { Deque } from "./Deque.ts"
import type { LogCursor } from "./LogCursor.ts"
import { SeenIds } from "./SeenIds.ts"

/** Estimated bytes that a record needs in addition to its payload, subject and id. */
const recordOverhead = 64

/** Bytes that a record counts towards `maxBytes`. */
export const chargeOf = (subject: string, id: string, data: Uint8Array): number =>
  data.byteLength + subject.length + id.length + recordOverhead

/**
 * One subject's stored records, in order, with positions of its own. Exists while the subject has records or cursors.
 */
export class SubjectIndex {
  readonly subject: string
  readonly records = new Deque<LogRecord>(0)
  readonly waiting = new Set<LogCursor>()
  cursors = 0

  constructor(subject: string) {
    this.subject = subject
  }
}

export class RetainedLog {
  readonly spec: StreamSpec
  readonly seen: SeenIds
  readonly subjects = new Map<string, SubjectIndex>()
  /** Waiting cursors with a wildcard filter. */
  readonly waiting = new Set<LogCursor>()
  readonly records: Deque<LogRecord>
  private bytes = 0
  private woken: Array<LogCursor> = []

  /** `first` is the sequence of the next record, by default 1. */
  constructor(spec: StreamSpec, options: { readonly now: number; readonly first?: number }) {
    this.spec = spec
    this.seen = new SeenIds(options.now)
    this.records = new Deque(options.first ?? 1)
  }

  /** `last + 1` if the log is empty. */
  get first(): number {
    return this.records.start
  }

  get last(): number {
    return this.records.end - 1
  }

  /** 0 if there is none. */
  lastOf(subject: string): number {
    const records = this.subjects.get(subject)?.records
    return records?.get(records.end - 1)?.sequence ?? 0
  }

  /** Sequence of the newest record whose subject matches the filter; 0 if there is none. */
  newest(filter: string): number {
    if (isExact(filter)) return this.lastOf(filter)
    const matches = matcher(filter)
    let newest = 0
    for (const subject of this.subjects.keys()) if (matches(subject)) newest = Math.max(newest, this.lastOf(subject))
    return newest
  }

  /**
   * `record.sequence` must be `last + 1`. Cursors that wait for the record are queued until the next `wake`. Returns
   * true if the caller must schedule a `wake`: this append added the first cursor to the empty queue.
   */
  append(record: LogRecord): boolean {
    const idle = this.woken.length === 0
    const index = this.keep(record)
    this.seen.add(record.id, record.sequence)
    if (index.waiting.size > 0) {
      for (const cursor of index.waiting) this.woken.push(cursor)
      index.waiting.clear()
    }
    for (const cursor of this.waiting) {
      if (!cursor.offer(record)) continue
      this.waiting.delete(cursor)
      this.woken.push(cursor)
    }
    this.trim()
    this.expire(record.appendedAt)
    return idle && this.woken.length > 0
  }

  /** For a record of a journal: ids older than the dedupe window are not remembered, and no cursors are notified. */
  restore(record: LogRecord, now: number): void {
    this.keep(record)
    if (now - record.appendedAt < dedupeWindowMillis) this.seen.add(record.id, record.sequence)
    this.trim()
  }

  /** Resumes the queued cursors. Drivers schedule one call for many appends. */
  readonly wake = (): void => {
    const cursors = this.woken
    this.woken = []
    for (const cursor of cursors) cursor.resume()
  }

  index(subject: string): SubjectIndex {
    let index = this.subjects.get(subject)
    if (index === undefined) {
      index = new SubjectIndex(subject)
      this.subjects.set(subject, index)
    }
    return index
  }

  /** Removes an index without records and cursors, so that the subject of a finished match takes no memory. */
  release(index: SubjectIndex): void {
    if (index.cursors === 0 && index.records.length === 0) this.subjects.delete(index.subject)
  }

  private keep(record: LogRecord): SubjectIndex {
    this.bytes += chargeOf(record.subject, record.id, record.data)
    this.records.push(record)
    const index = this.index(record.subject)
    index.records.push(record)
    return index
  }

  /** Drops the records older than `maxAgeMs`. If there are none, this costs one comparison. */
  expire(now: number): void {
    const { maxAgeMs } = this.spec
    if (maxAgeMs === undefined) return
    for (let oldest = this.records.get(this.first); oldest !== undefined; oldest = this.records.get(this.first)) {
      if (now - oldest.appendedAt <= maxAgeMs) return
      this.drop()
    }
  }

  private trim(): void {
    while (this.bytes > this.spec.maxBytes && this.records.length > 1) this.drop()
  }

  private drop(): void {
    const record = this.records.shift()
    if (record === undefined) return
    this.bytes -= chargeOf(record.subject, record.id, record.data)
    const index = this.index(record.subject)
    index.records.shift()
    this.release(index)
  }
}
