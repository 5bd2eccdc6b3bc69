/**
 * Reads the frames of one match from LIVE in parts, up to the newest one that a plan may see. A part is at most 256
 * records (about 250 KB). Nothing stays open between two parts, so a replay may take hours. Knows its position in the
 * log, not the content of the frames.
 */
import { type EventLog, type From, LogError, type LogRecord } from "@matchpoint/bus/EventLog"
import { sinceKeyframe } from "@matchpoint/bus/sinceKeyframe"
import { LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import type { LiveContracts } from "@matchpoint/contracts/game/LiveContract"
import type { MatchId } from "@matchpoint/domain/ids"
import { type Frame, frameOfRecord } from "@matchpoint/realtime/Frame"
import { FrameLinks } from "@matchpoint/realtime/FrameLinks"
import { OlderViews } from "@matchpoint/realtime/OlderViews"
import type { Views } from "@matchpoint/realtime/Views"
import { Effect, Schedule, Stream } from "effect"

/** The part of an Edge that limits what its plans may see. */
export interface Watermark {
  readonly rooms: { readonly position: number }
}

/** The log, and the games whose records can be decoded. */
export interface FrameSource {
  readonly log: EventLog["Service"]
  readonly games: LiveContracts
}

const PART = 256
const READ_TIMEOUT = "10 seconds"
const READ_ATTEMPTS = 3
/** Cached views. A reader only moves forward, so a few are enough. */
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

  /** Returns to the oldest record. */
  rewind(): void {
    this.#from = { _tag: "First" }
    this.#links = new FrameLinks()
  }

  /** Moves to the record at this position, or to the first one after it. */
  skipTo(position: number): Effect.Effect<void, LogError> {
    this.rewind()
    if (position < 2) return Effect.void
    this.#from = { _tag: "After", sequence: position - 1 }
    return Effect.map(this.#withPatience(sinceKeyframe(this.#source.log, this.#matchId, position - 1)), (records) => {
      this.#linked(records)
    })
  }

  /**
   * Returns the next frames, or none if the plan may not see any further frame yet. Skips frames whose document cannot
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

  /** True if the plan may see any frame of the match. */
  readonly exists: Effect.Effect<boolean, LogError> = Effect.suspend(() =>
    Effect.map(this.#read(1, { _tag: "First" }), (records) => records.length > 0),
  )

  /** Returns the views of a frame that `next` returned. */
  viewsOf(frame: Frame): Views {
    return this.#views.of(frame)
  }

  #linked(records: ReadonlyArray<LogRecord>): ReadonlyArray<Frame> {
    return records.flatMap((record) => {
      const frame = frameOfRecord(record, this.#source.games)
      return frame === undefined ? [] : (this.#links.take(frame) ?? [])
    })
  }

  #read(count: number, from: From): Effect.Effect<ReadonlyArray<LogRecord>, LogError> {
    return this.#withPatience(
      this.#source.log.read(LIVE, liveSubject(this.#matchId), from).pipe(Stream.take(count), Stream.runCollect),
    ).pipe(
      Effect.map((records) => {
        const { position } = this.#watermark.rooms
        return records.filter(({ sequence }) => sequence <= position)
      }),
    )
  }

  #withPatience<A>(read: Effect.Effect<A, LogError>): Effect.Effect<A, LogError> {
    return read.pipe(
      Effect.timeoutOrElse({ duration: READ_TIMEOUT, orElse: () => Effect.fail(tooLate()) }),
      // If records were dropped while they were being read, the next attempt starts at the oldest one kept.
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
