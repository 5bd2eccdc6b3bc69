/**
 * Reads the stored frames of one match from LIVE in batches, up to the newest that the plan may see. A batch has at
 * most 256 records (about 250 KB). No reader stays open between two batches, so a replay may take hours. Does not
 * interpret the content of frames.
 */
import { type EventLog, type From, LogError, type LogRecord } from "@matchpoint/bus/EventLog"
import { sinceKeyframe } from "@matchpoint/bus/sinceKeyframe"
import { LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import type { LiveContracts } from "@matchpoint/contracts/game/LiveContract"
import type { MatchId } from "@matchpoint/domain/ids"
import { type Frame, frameOfRecord } from "@matchpoint/realtime/Frame"
import { FrameLinks } from "@matchpoint/realtime/FrameLinks"
import type { FrameViews } from "@matchpoint/realtime/FrameViews"
import { OlderViews } from "@matchpoint/realtime/OlderViews"
import { Effect, Schedule, Stream } from "effect"

/** A plan may see the records up to `dueTo` in LIVE. The only part of an Edge that replays need. */
export interface Watermark {
  readonly rooms: { readonly dueTo: number }
}

/** The log, and the games whose records can be decoded. */
export interface FrameSource {
  readonly log: EventLog["Service"]
  readonly games: LiveContracts
}

const PART = 256
const READ_TIMEOUT = "10 seconds"
const READ_ATTEMPTS = 3
/** Cached views. A few are enough, because frames are only read forwards. */
const VIEWS_KEPT = 64

export class StoredFrames {
  readonly #source: FrameSource
  readonly #matchId: MatchId
  readonly #watermark: Watermark
  readonly #views = new OlderViews(VIEWS_KEPT)
  #from: From = { _tag: "First" }
  #links = new FrameLinks()

  constructor(source: FrameSource, matchId: MatchId, watermark: Watermark) {
    this.#source = source
    this.#matchId = matchId
    this.#watermark = watermark
  }

  /** Moves to the oldest record. */
  rewind(): void {
    this.#from = { _tag: "First" }
    this.#links = new FrameLinks()
  }

  /** Moves to the record at `position`, or the first one after it. */
  skipTo(position: number): Effect.Effect<void, LogError> {
    this.rewind()
    if (position < 2) return Effect.void
    this.#from = { _tag: "After", sequence: position - 1 }
    return Effect.map(this.#withTimeout(noneBeyondTheEnd(sinceKeyframe(this.#source.log, this.#matchId, position - 1))), (records) => {
      this.#linked(records)
    })
  }

  /**
   * Empty if all remaining frames are still within the delay of the customer's plan. Skips frames whose document cannot
   * be rebuilt.
   */
  readonly next: Effect.Effect<ReadonlyArray<Frame>, LogError> = Effect.suspend(() =>
    Effect.flatMap(this.#read(PART, this.#from), (records) => {
      const last = records[records.length - 1]
      if (last === undefined) return Effect.succeed([])
      this.#from = { _tag: "After", sequence: last.sequence }
      const frames = this.#linked(records)
      return frames.length > 0 ? Effect.succeed(frames) : this.next
    }),
  )

  /** True if the match has a frame that the plan may see. */
  readonly exists: Effect.Effect<boolean, LogError> = Effect.suspend(() =>
    Effect.map(this.#read(1, { _tag: "First" }), (records) => records.length > 0),
  )

  /** The frame must come from `next`. */
  viewsOf(frame: Frame): FrameViews {
    return this.#views.of(frame)
  }

  #linked(records: ReadonlyArray<LogRecord>): ReadonlyArray<Frame> {
    return records.flatMap((record) => {
      const frame = frameOfRecord(record, this.#source.games)
      return frame === undefined ? [] : (this.#links.take(frame) ?? [])
    })
  }

  #read(count: number, from: From): Effect.Effect<ReadonlyArray<LogRecord>, LogError> {
    return this.#withTimeout(
      noneBeyondTheEnd(this.#source.log.read(LIVE, liveSubject(this.#matchId), from).pipe(Stream.take(count), Stream.runCollect)),
    ).pipe(
      Effect.map((records) => {
        const { dueTo } = this.#watermark.rooms
        return records.filter(({ sequence }) => sequence <= dueTo)
      }),
    )
  }

  #withTimeout<A>(read: Effect.Effect<A, LogError>): Effect.Effect<A, LogError> {
    return read.pipe(
      Effect.timeoutOrElse({ duration: READ_TIMEOUT, orElse: () => Effect.fail(tooLate()) }),
      // If the log dropped records during the read, the next attempt starts at the oldest available one.
      Effect.retry({
        times: READ_ATTEMPTS - 1,
        while: (error) => error.retryable || error.reason === "Dropped",
        schedule: Schedule.exponential("100 millis"),
      }),
    )
  }
}

const tooLate = () =>
  new LogError({ operation: "read", target: LIVE, reason: "Unavailable", retryable: true, detail: `no answer within ${READ_TIMEOUT}` })

/** A position from a cursor may be one of another log, after whose end this one has nothing. */
const noneBeyondTheEnd = (records: Effect.Effect<ReadonlyArray<LogRecord>, LogError>): Effect.Effect<ReadonlyArray<LogRecord>, LogError> =>
  Effect.catchIf(
    records,
    ({ reason }) => reason === "HistoryLost",
    () => Effect.succeed([]),
  )
