/** Reads match records (LIVE or ENTRIES) for plans with real-time data, and passes each on at once. */
import type { EventLog, From, LogError, LogRecord } from "@matchpoint/bus/EventLog"
import { Array as Arr, Effect, Stream } from "effect"
import type { TierReading } from "./TierReading.ts"

type Records = Arr.NonEmptyReadonlyArray<LogRecord>

export class PromptReading implements TierReading {
  readonly #log: EventLog["Service"]
  readonly #stream: string
  readonly #filter: string
  readonly #take: (records: Records) => Effect.Effect<void>
  passed = 0

  constructor(options: {
    readonly log: EventLog["Service"]
    readonly stream: string
    readonly filter: string
    /** Called in order. */
    readonly take: (records: Records) => Effect.Effect<void>
  }) {
    this.#log = options.log
    this.#stream = options.stream
    this.#filter = options.filter
    this.#take = options.take
  }

  readonly catchUp: Effect.Effect<void, LogError> = Effect.suspend(() =>
    this.#log.read(this.#stream, this.#filter, this.#from).pipe(Stream.runForEachArray(this.pass)),
  )

  readonly follow: Effect.Effect<void, LogError> = Effect.suspend(() =>
    this.#log.consume(this.#stream, this.#filter, this.#from).pipe(Stream.runForEachArray(this.pass)),
  )

  readonly isDue = (): boolean => true

  // An interruption in between would skip the records: reading continues after `passed`.
  readonly pass = (records: Records): Effect.Effect<void> =>
    Effect.uninterruptible(
      Effect.suspend(() => {
        this.passed = Arr.lastNonEmpty(records).sequence
        return this.#take(records)
      }),
    )

  get #from(): From {
    return this.passed === 0 ? { _tag: "First" } : { _tag: "After", sequence: this.passed }
  }
}
