/**
 * The frames of one match in LIVE, read part by part, none younger than a plan may see. Between two parts nothing is held open, so that
 * a replay may take hours; a part is at most 256 records (about 250 KB). Knows where it is; not what the frames say.
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

/** The part of an Edge that says what its plans may see. */
export interface Watermark {
  readonly rooms: { readonly position: number }
}

/** The log, and the games whose records can be read. */
export interface FrameSource {
  readonly log: EventLog["Service"]
  readonly games: LiveContracts
}

const PART = 256
const READ_TIMEOUT = "10 seconds"
const READ_ATTEMPTS = 3
/** A reader goes forward, so that a few are enough. */
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

  /** From the oldest record on. */
  rewind(): void {
    this.#from = { _tag: "First" }
    this.#links = new FrameLinks()
  }

  /** The record at this position is next, or the first one after it. */
  skipTo(position: number): Effect.Effect<void, LogError> {
    this.rewind()
    if (position < 2) return Effect.void
    this.#from = { _tag: "After", sequence: position - 1 }
    return Effect.map(this.#withPatience(sinceKeyframe(this.#source.log, this.#matchId, position - 1)), (records) => {
      this.#linked(records)
    })
  }

  /** What comes next; empty when nothing does that the plan may see by now. Frames whose documents cannot be made are left out. */
  readonly next: Effect.Effect<ReadonlyArray<Frame>, LogError> = Effect.suspend(() =>
    Effect.flatMap(this.#read(PART, this.#from), (records) => {
      const last = records[records.length - 1]
      if (last === undefined) return Effect.succeed([])
      this.#from = { _tag: "After", sequence: last.sequence }
      const frames = this.#linked(records)
      return frames.length > 0 ? Effect.succeed(frames) : this.next
    }),
  )

  /** Whether the plan may see anything of the match. */
  readonly exists: Effect.Effect<boolean, LogError> = Effect.suspend(() =>
    Effect.map(this.#read(1, { _tag: "First" }), (records) => records.length > 0),
  )

  /** Views of a frame that `next` gave. */
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
      // What was dropped while it was being read: the next attempt begins at the oldest kept.
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
