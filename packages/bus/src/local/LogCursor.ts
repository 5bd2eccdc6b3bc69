/**
 * A consumer's position in a `RetainedLog`. A cursor on one exact subject reads the index of that subject, so 500 such
 * cursors never read each other's records. A cursor with wildcards reads the whole log.
 */
import { Array as Arr } from "effect"
import type { Filter, From, LogRecord } from "../EventLog.ts"
import { isExact, matcherOf } from "../Subject.ts"
import type { RetainedLog, SubjectIndex } from "./RetainedLog.ts"

/**
 * `behind`: none of the scanned records matched and more remain. `dropped`: unread records were dropped. `end`: no
 * further record matches.
 */
export type Step = Arr.NonEmptyReadonlyArray<LogRecord> | "behind" | "dropped" | "end"

export interface LogCursor {
  /** Returns at most `chunkSize` records, up to and including sequence `until`. */
  readonly next: (until: number) => Step
  /** Calls `onMore` once when a matching record is appended. The cursor must have reached the end of the log. */
  readonly wait: (onMore: () => void) => void
  readonly cancelWait: () => void
  readonly resume: () => void
  /** Notifies a waiting wildcard cursor of an appended record. Returns true if the record matches. */
  readonly offer: (record: LogRecord) => boolean
  readonly close: () => void
}

const chunkSize = 512
/** Per step of a wildcard cursor. Without a limit, one that matches few records of a long log blocks the event loop. */
const scanSize = 8_192

export const open = (log: RetainedLog, filter: Filter, from: From): LogCursor => {
  const sequence = from._tag === "First" ? log.first : from._tag === "New" ? log.last + 1 : Math.max(from.sequence + 1, log.first)
  const [only, ...others] = Arr.ensure(filter)
  return only !== undefined && others.length === 0 && isExact(only)
    ? new SubjectCursor(log, only, sequence)
    : new FilterCursor(log, Arr.ensure(filter), sequence)
}

/** Stores the callback and adds the cursor to a set of waiting cursors, which every append checks. */
class Waiter {
  private readonly waiting: Set<LogCursor>
  private onMore: (() => void) | undefined

  constructor(waiting: Set<LogCursor>) {
    this.waiting = waiting
  }

  start(cursor: LogCursor, onMore: () => void): void {
    this.onMore = onMore
    this.waiting.add(cursor)
  }

  cancel(cursor: LogCursor): void {
    this.onMore = undefined
    this.waiting.delete(cursor)
  }

  resume(): void {
    const onMore = this.onMore
    this.onMore = undefined
    onMore?.()
  }
}

class SubjectCursor implements LogCursor {
  private readonly log: RetainedLog
  private readonly index: SubjectIndex
  private readonly waiter: Waiter
  private readonly start: number
  private position: number

  constructor(log: RetainedLog, subject: string, sequence: number) {
    this.log = log
    this.index = log.index(subject)
    this.index.cursors++
    this.waiter = new Waiter(this.index.waiting)
    this.start = sequence
    this.position = lowerBound(this.index, sequence)
  }

  next(until: number): Step {
    const records = this.index.records
    if (this.position < records.start) return "dropped"
    const chunk: Array<LogRecord> = []
    while (chunk.length < chunkSize) {
      const record = records.get(this.position)
      if (record === undefined || record.sequence > until) break
      this.position++
      // If the start was beyond the end of the log, records appended later may still precede it.
      if (record.sequence >= this.start) chunk.push(record)
    }
    return Arr.isArrayNonEmpty(chunk) ? chunk : "end"
  }

  wait(onMore: () => void): void {
    this.waiter.start(this, onMore)
  }

  cancelWait(): void {
    this.waiter.cancel(this)
  }

  resume(): void {
    this.waiter.resume()
  }

  offer(): boolean {
    return false
  }

  close(): void {
    this.waiter.cancel(this)
    this.index.cursors--
    this.log.release(this.index)
  }
}

class FilterCursor implements LogCursor {
  private readonly log: RetainedLog
  private readonly waiter: Waiter
  private readonly matches: (subject: string) => boolean
  private sequence: number

  constructor(log: RetainedLog, filters: ReadonlyArray<string>, sequence: number) {
    this.log = log
    this.waiter = new Waiter(log.waiting)
    this.matches = matcherOf(filters)
    this.sequence = sequence
  }

  next(until: number): Step {
    if (this.sequence < this.log.first) return "dropped"
    const chunk: Array<LogRecord> = []
    const stop = Math.min(until, this.log.last, this.sequence + scanSize - 1)
    while (this.sequence <= stop && chunk.length < chunkSize) {
      const record = this.log.records.get(this.sequence++)
      if (record !== undefined && this.matches(record.subject)) chunk.push(record)
    }
    if (Arr.isArrayNonEmpty(chunk)) return chunk
    return this.sequence > until || this.sequence > this.log.last ? "end" : "behind"
  }

  wait(onMore: () => void): void {
    this.waiter.start(this, onMore)
  }

  cancelWait(): void {
    this.waiter.cancel(this)
  }

  resume(): void {
    this.waiter.resume()
  }

  offer(record: LogRecord): boolean {
    if (record.sequence < this.sequence) return false
    if (this.matches(record.subject)) return true
    // Without moving on, a cursor that has read everything would fail with `dropped` when this record is dropped.
    this.sequence = record.sequence + 1
    return false
  }

  close(): void {
    this.waiter.cancel(this)
  }
}

/** Position in the subject's index of the first record whose sequence is at least `sequence`. */
const lowerBound = (index: SubjectIndex, sequence: number): number => {
  let low = index.records.start
  let high = index.records.end
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const record = index.records.get(middle)
    if (record !== undefined && record.sequence < sequence) low = middle + 1
    else high = middle
  }
  return low
}
