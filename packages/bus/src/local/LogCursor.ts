/**
 * A consumer's place in a RetainedLog. Two kinds: on one exact subject it walks that subject's own index (five hundred of them
 * never look at each other's records), on a wildcard it walks the log. Synchronous; LocalStreams turns it into a Stream.
 */
import { Array as Arr } from "effect"
import type { From, LogRecord } from "../EventLog.ts"
import { isExact, matcher } from "../Subject.ts"
import type { RetainedLog, SubjectIndex } from "./RetainedLog.ts"

/** `behind`: nothing matched in the part looked at, look again. `dropped`: retention overtook the cursor. `end`: nothing up to the end. */
export type Step = Arr.NonEmptyReadonlyArray<LogRecord> | "behind" | "dropped" | "end"

export interface LogCursor {
  /** The next records up to and including sequence `until`, at most `chunkSize`. */
  readonly next: (until: number) => Step
  /** Registers for one call of `onMore`; the cursor must be at the end. */
  readonly wait: (onMore: () => void) => void
  readonly cancelWait: () => void
  readonly resume: () => void
  /** For cursors that wait on the whole log: a record was appended; true if it is theirs. */
  readonly offer: (record: LogRecord) => boolean
  readonly close: () => void
}

const chunkSize = 512
/** How many records one step of a wildcard cursor looks at, so that a rare match in a long log does not hold up the loop. */
const scanSize = 8_192

export const open = (log: RetainedLog, filter: string, from: From): LogCursor => {
  const sequence = from._tag === "First" ? log.first : from._tag === "New" ? log.last + 1 : Math.max(from.sequence + 1, log.first)
  return isExact(filter) ? new SubjectCursor(log, filter, sequence) : new FilterCursor(log, filter, sequence)
}

/** The waiting half, the same for both: one callback, in the set that appends look at. */
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
      // Below the start only after a start the log had not reached yet.
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

  constructor(log: RetainedLog, filter: string, sequence: number) {
    this.log = log
    this.waiter = new Waiter(log.waiting)
    this.matches = matcher(filter)
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
    // Someone else's record: step over it, or retention would overtake a cursor that is not behind at all.
    this.sequence = record.sequence + 1
    return false
  }

  close(): void {
    this.waiter.cancel(this)
  }
}

/** Position of the subject's first record with at least this sequence. */
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
