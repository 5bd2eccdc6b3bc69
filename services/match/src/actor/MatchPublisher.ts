/**
 * The only writer of a match to LIVE while this process owns the match. Every append states the sequence of the match's
 * previous record, and the log rejects it if a newer one exists. So a process that has lost the match without noticing,
 * for example while it was suspended, cannot append anything and detects the loss at its next append.
 */
import { EventLog, type LogError } from "@matchpoint/bus/EventLog"
import { cursorOfMessageId, LIVE, liveMessageId, liveSubject } from "@matchpoint/contracts/bus/subjects"
import type { MatchId } from "@matchpoint/domain/ids"
import { Effect, Option } from "effect"
import { LostOwnership } from "./LostOwnership.ts"

export interface Cursor {
  readonly epoch: number
  readonly seq: number
}

export const isAfter = (a: Cursor, b: Cursor): boolean => a.epoch > b.epoch || (a.epoch === b.epoch && a.seq > b.seq)

export class MatchPublisher {
  readonly #log: EventLog["Service"]
  readonly #matchId: MatchId
  readonly #subject: string
  /** Newest record of the match in LIVE, 0 if there is none. */
  #last: number
  /** Newest published change, or `(0, 0)`. */
  published: Cursor

  private constructor(log: EventLog["Service"], matchId: MatchId, last: number, published: Cursor) {
    this.#log = log
    this.#matchId = matchId
    this.#subject = liveSubject(matchId)
    this.#last = last
    this.published = published
  }

  /** Continues after the match's newest record in LIVE. */
  static readonly open = Effect.fnUntraced(function* (matchId: MatchId) {
    const log = yield* EventLog
    const newest = yield* log.last(LIVE, liveSubject(matchId))
    if (Option.isNone(newest)) return new MatchPublisher(log, matchId, 0, { epoch: 0, seq: 0 })
    const { id, sequence } = newest.value
    return new MatchPublisher(log, matchId, sequence, cursorOfMessageId(id) ?? { epoch: 0, seq: 0 })
  })

  /** Newest record of the match in LIVE, 0 if there is none. */
  get position(): number {
    return this.#last
  }

  /** This owner has appended a repeated keyframe, which is now the match's newest record. */
  goOnFrom(sequence: number): void {
    this.#last = sequence
  }

  /**
   * True if LIVE was lost or restored since this cursor of a checkpoint was published to it. A checkpoint contains only
   * published changes, and LIVE drops the oldest records first. So it is another log if it has an older change of the
   * match, or none although it has never dropped a record.
   */
  lacks(cursor: Cursor): Effect.Effect<boolean, LogError> {
    if (!isAfter(cursor, this.published)) return Effect.succeed(false)
    return this.#last > 0 ? Effect.succeed(true) : Effect.map(this.#log.bounds(LIVE), ({ first }) => first === 1)
  }

  /**
   * Publishes nothing before this epoch. The history of the earlier epochs is lost, so their changes do not follow from
   * what LIVE has.
   */
  startFrom(epoch: number): void {
    this.published = { epoch: epoch - 1, seq: Number.MAX_SAFE_INTEGER }
  }

  /**
   * The record is durable once this succeeds. After any failure the content of the log is unknown, so this publisher
   * must not be used again.
   */
  publish(cursor: Cursor, record: Uint8Array): Effect.Effect<void, LogError | LostOwnership> {
    const matchId = this.#matchId
    const id = liveMessageId(matchId, cursor.epoch, cursor.seq)
    return this.#log.append(this.#subject, id, record, { lastOfSubject: this.#last }).pipe(
      Effect.flatMap(({ duplicate, sequence }) => {
        if (duplicate) return Effect.fail(new LostOwnership({ matchId, reason: "Duplicate" }))
        this.#last = sequence
        this.published = { epoch: cursor.epoch, seq: cursor.seq }
        return Effect.void
      }),
      Effect.catchIf(isConflict, () => Effect.fail(new LostOwnership({ matchId, reason: "Conflict" }))),
    )
  }
}

const isConflict = (error: LogError | LostOwnership): error is LogError => error._tag === "LogError" && error.reason === "Conflict"
