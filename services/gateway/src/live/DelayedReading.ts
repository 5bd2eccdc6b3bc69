/**
 * Reads match records (LIVE or ENTRIES) for plans with delayed data. Passes each record on once its age, by the log's
 * clock, has reached the plan's delay. Its own reader stops while the next record is not old enough, so it buffers at
 * most one chunk of the log driver, however many events occur.
 */
import type { EventLog, From, LogError, LogRecord } from "@matchpoint/bus/EventLog"
import { Effect, Stream } from "effect"
import type { LogClock } from "./LogClock.ts"
import type { TierReading } from "./TierReading.ts"

/** Maximum interval between two checks of the log's clock. */
const LOOK_AGAIN_MS = 5_000
/**
 * Records are normally ordered by append time. If one is more than this much older than the previous one, the log's
 * clock was set back.
 */
const WENT_BACK_MS = 1_000

export class DelayedReading implements TierReading {
  readonly #log: EventLog["Service"]
  readonly #stream: string
  readonly #filter: string
  readonly #clock: LogClock
  readonly #delayMs: number
  readonly #verifyLogTime: Effect.Effect<void, LogError>
  readonly #take: (record: LogRecord) => void
  #lastAt = 0
  /** Sequence number of the last record that was passed on. */
  passed = 0

  constructor(options: {
    readonly log: EventLog["Service"]
    readonly stream: string
    readonly filter: string
    readonly clock: LogClock
    readonly delayMs: number
    readonly verifyLogTime: Effect.Effect<void, LogError>
    /** Called in order, once the record is old enough. */
    readonly take: (record: LogRecord) => void
  }) {
    this.#log = options.log
    this.#stream = options.stream
    this.#filter = options.filter
    this.#clock = options.clock
    this.#delayMs = options.delayMs
    this.#verifyLogTime = options.verifyLogTime
    this.#take = options.take
  }

  /** Passes on all records that are old enough, then ends. */
  readonly catchUp: Effect.Effect<void, LogError> = Effect.suspend(() =>
    this.#log.read(this.#stream, this.#filter, this.#from).pipe(
      Stream.takeWhile(this.isDue),
      Stream.runForEachArray((records) =>
        Effect.sync(() => {
          for (const record of records) this.#pass(record)
        }),
      ),
    ),
  )

  /** Never ends by itself. */
  readonly follow: Effect.Effect<void, LogError> = Effect.suspend(() =>
    this.#log.consume(this.#stream, this.#filter, this.#from).pipe(Stream.runForEachArray(this.pass)),
  )

  readonly isDue = (record: LogRecord): boolean => this.#remainingMs(record) <= 0

  readonly pass = (records: ReadonlyArray<LogRecord>): Effect.Effect<void, LogError> => this.#passFrom(records, 0)

  #passFrom(records: ReadonlyArray<LogRecord>, start: number): Effect.Effect<void, LogError> {
    return Effect.suspend(() => {
      for (let index = start; index < records.length; index++) {
        const record = records[index]
        if (record === undefined) break
        if (record.appendedAt < this.#lastAt - WENT_BACK_MS) {
          // If the check fails, the next run repeats it: `#lastAt` is still the later time.
          return Effect.andThen(this.#verifyLogTime, () => {
            this.#lastAt = record.appendedAt
            return this.#passFrom(records, index)
          })
        }
        const remainingMs = this.#remainingMs(record)
        if (remainingMs > 0) {
          const wait = Math.min(LOOK_AGAIN_MS, Math.max(1, remainingMs))
          return Effect.andThen(Effect.sleep(wait), this.#passFrom(records, index))
        }
        this.#pass(record)
      }
      return Effect.void
    })
  }

  #pass(record: LogRecord): void {
    this.#lastAt = record.appendedAt
    this.passed = record.sequence
    this.#take(record)
  }

  /** Milliseconds until the record is old enough by the log's clock; 0 or less if it is. */
  #remainingMs({ appendedAt }: LogRecord): number {
    const { now } = this.#clock
    return now === undefined ? this.#delayMs : appendedAt + this.#delayMs - now
  }

  get #from(): From {
    return this.passed === 0 ? { _tag: "First" } : { _tag: "After", sequence: this.passed }
  }
}
