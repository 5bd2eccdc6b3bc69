/**
 * The records of one match in LIVE, read part by part, none younger than a plan may see. Between two parts nothing is held open, so that
 * a replay may take hours; a part is at most 256 records (about 5 MB). Knows where it is; not what the frames say.
 */
import { type EventLog, type From, LogError, type LogRecord } from "@matchpoint/bus/EventLog"
import { LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import type { MatchId } from "@matchpoint/domain/ids"
import { Effect, Schedule, Stream } from "effect"

/** The part of an Edge that says what its plans may see. */
export interface Watermark {
  readonly rooms: { readonly position: number }
}

const PART = 256
const READ_TIMEOUT = "10 seconds"
const READ_ATTEMPTS = 3

export class StoredFrames {
  readonly #log: EventLog["Service"]
  readonly #matchId: MatchId
  readonly #watermark: Watermark
  #from: From

  constructor(log: EventLog["Service"], matchId: MatchId, watermark: Watermark, from: From = { _tag: "First" }) {
    this.#log = log
    this.#matchId = matchId
    this.#watermark = watermark
    this.#from = from
  }

  /** From the oldest record on. */
  rewind(): void {
    this.#from = { _tag: "First" }
  }

  /** The record at this position is next, or the first one after it. */
  skipTo(position: number): void {
    this.#from = position < 1 ? { _tag: "First" } : { _tag: "After", sequence: position - 1 }
  }

  /** What comes next; empty when nothing does that the plan may see by now. */
  readonly next: Effect.Effect<ReadonlyArray<LogRecord>, LogError> = Effect.suspend(() =>
    Effect.map(this.#read(PART, this.#from), (records) => {
      const last = records[records.length - 1]
      if (last !== undefined) this.#from = { _tag: "After", sequence: last.sequence }
      return records
    }),
  )

  /** Whether the plan may see anything of the match. */
  readonly exists: Effect.Effect<boolean, LogError> = Effect.suspend(() =>
    Effect.map(this.#read(1, { _tag: "First" }), (records) => records.length > 0),
  )

  #read(count: number, from: From): Effect.Effect<ReadonlyArray<LogRecord>, LogError> {
    return this.#log.read(LIVE, liveSubject(this.#matchId), from).pipe(
      Stream.take(count),
      Stream.runCollect,
      Effect.timeoutOrElse({ duration: READ_TIMEOUT, orElse: () => Effect.fail(tooLate()) }),
      // What was dropped while it was being read: the next attempt begins at the oldest kept.
      Effect.retry({
        times: READ_ATTEMPTS - 1,
        while: (error) => error.retryable || error.reason === "Dropped",
        schedule: Schedule.exponential("100 millis"),
      }),
      Effect.map((records) => {
        const { position } = this.#watermark.rooms
        return records.filter(({ sequence }) => sequence <= position)
      }),
    )
  }
}

const tooLate = () =>
  new LogError({ operation: "read", target: LIVE, reason: "Unavailable", retryable: true, detail: `no answer within ${READ_TIMEOUT}` })
