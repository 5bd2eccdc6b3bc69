/**
 * Buffer between the shared consumer of a partition and the actor of one match. It never makes the consumer wait: if
 * the actor falls too far behind, the buffer is emptied and marked as overflowed, and the actor reads the missing
 * records from the log itself.
 */
import type { LogError, LogRecord } from "@matchpoint/bus/EventLog"
import { Array as Arr, Effect } from "effect"

/** A record has about 500 bytes, so a full buffer takes about 2 MB. */
const CAPACITY = 4_096

export class FeedTap {
  /** Every later record of the match is in the buffer or will be offered to it. */
  #holdsFrom: number
  #records: Array<LogRecord> = []
  #ended: LogError | "overflowed" | undefined
  #onMore: (() => void) | undefined
  /** Arrival of the oldest record, in monotonic milliseconds. Undefined if the buffer is empty. */
  waitingSince: number | undefined

  constructor(holdsFrom: number) {
    this.#holdsFrom = holdsFrom
  }

  /** True if a reader that has read up to `sequence` finds all further records of the match here. */
  continues(sequence: number): boolean {
    return sequence >= this.#holdsFrom
  }

  /** `now` is in monotonic milliseconds. */
  offer(record: LogRecord, now: number): void {
    if (this.#ended !== undefined) return
    this.waitingSince ??= now
    if (this.#records.length >= CAPACITY) {
      this.#records = []
      this.#end("overflowed")
      return
    }
    this.#records.push(record)
    this.#wake()
  }

  fail(error: LogError): void {
    this.#end(error)
  }

  /** `overflowed` if records were lost. Does not wait. */
  readonly poll = Effect.suspend((): Effect.Effect<ReadonlyArray<LogRecord> | "overflowed", LogError> => {
    const records = this.#records
    this.waitingSince = undefined
    if (Arr.isArrayNonEmpty(records)) {
      this.#records = []
      this.#holdsFrom = Arr.lastNonEmpty(records).sequence
      return Effect.succeed(records)
    }
    if (this.#ended === undefined) return Effect.succeed(records)
    return this.#ended === "overflowed" ? Effect.succeed(this.#ended) : Effect.fail(this.#ended)
  })

  /** Like `poll`, but waits if there is no record. */
  readonly take = Effect.suspend(() =>
    this.#records.length > 0 || this.#ended !== undefined ? this.poll : Effect.andThen(this.#more, this.poll),
  )

  readonly #more = Effect.callback<void>((resume) => {
    this.#onMore = () => resume(Effect.void)
    return Effect.sync(() => {
      this.#onMore = undefined
    })
  })

  #end(how: LogError | "overflowed"): void {
    this.#ended ??= how
    this.#wake()
  }

  #wake(): void {
    const onMore = this.#onMore
    this.#onMore = undefined
    onMore?.()
  }
}
