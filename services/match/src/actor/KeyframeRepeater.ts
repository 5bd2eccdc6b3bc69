/**
 * Keeps the newest document of an unfinished match in LIVE, which drops its oldest records. Before it drops the newest
 * keyframe (a record with the whole document), the keyframe is appended again with the same cursor. Readers that have
 * it ignore the repeat.
 *
 * Appends to the same NATS subject as the match actor. Call it only while no append by the actor is in flight.
 */
import type { EventLog, LogError, LogRecord } from "@matchpoint/bus/EventLog"
import { sinceKeyframe } from "@matchpoint/bus/sinceKeyframe"
import { cursorOfMessageId, LIVE, liveSubject, repeatMessageId, streams } from "@matchpoint/contracts/bus/subjects"
import { kindOfRecord } from "@matchpoint/contracts/stream/record"
import type { GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import type { LiveEncoder } from "@matchpoint/game/live/LiveGame"
import { Effect, Option } from "effect"

/** Age from which a keyframe is repeated: half of LIVE's retention time. */
const OLD_AFTER_MS = Math.min(...streams.map((stream) => (stream.name === LIVE ? stream.maxAgeMs / 2 : Number.POSITIVE_INFINITY)))

/** Default of `nearRecords`, about 4 MB of records. Every LIVE stream is large enough to retain them for at least a minute. */
const NEAR_RECORDS = 4_096

export class KeyframeRepeater {
  readonly #log: EventLog["Service"]
  readonly #matchId: MatchId
  readonly #encoder: LiveEncoder
  /** As long as the newest known keyframe is not old, the log is not searched for a newer one. */
  #keyframe: Pick<LogRecord, "sequence" | "appendedAt"> | undefined

  readonly #nearRecords: number

  /**
   * A keyframe that is followed by at most `nearRecords` records of all matches is not repeated because of LIVE's size
   * limit, only because of its age.
   */
  constructor(log: EventLog["Service"], matchId: MatchId, encoder: LiveEncoder, nearRecords = NEAR_RECORDS) {
    this.#nearRecords = nearRecords
    this.#log = log
    this.#matchId = matchId
    this.#encoder = encoder
  }

  /**
   * Repeats the newest keyframe if it is old. `state` must be the newest published one. Returns the sequence of the
   * appended record, which is then the match's last one in LIVE. Undefined if no repeat was needed or if another owner
   * of the match has appended meanwhile.
   */
  check(state: GameState): Effect.Effect<number | undefined, LogError> {
    return Effect.gen({ self: this }, function* () {
      const [{ first, last }, now] = yield* Effect.all([this.#log.bounds(LIVE), this.#log.now], { concurrency: 2 })
      const isOld = (record: Pick<LogRecord, "sequence" | "appendedAt">) =>
        (record.sequence < first + (last - first) / 2 && last - record.sequence > this.#nearRecords) ||
        now - record.appendedAt > OLD_AFTER_MS
      if (this.#keyframe !== undefined && !isOld(this.#keyframe)) return undefined
      const newest = Option.getOrUndefined(yield* this.#log.last(LIVE, liveSubject(this.#matchId)))
      const [keyframe] = newest === undefined ? [] : yield* sinceKeyframe(this.#log, this.#matchId, newest.sequence)
      this.#keyframe = keyframe
      if (keyframe !== undefined && !isOld(keyframe)) return undefined
      const repeat = this.#repeatOf(state, newest)
      if (repeat === undefined) return undefined
      const { epoch, seq } = state
      const appended = yield* this.#log
        .append(liveSubject(this.#matchId), repeatMessageId(this.#matchId, epoch, seq, last), repeat, {
          lastOfSubject: newest?.sequence ?? 0,
        })
        .pipe(
          Effect.catchIf(
            (error) => error.reason === "Conflict",
            () => Effect.succeed(undefined),
          ),
        )
      if (appended === undefined || appended.duplicate) return undefined
      this.#keyframe = { sequence: appended.sequence, appendedAt: now }
      return appended.sequence
    })
  }

  /**
   * Undefined if the newest record in the log is ahead of the state or of another epoch, because a repeat would then be
   * wrong.
   */
  #repeatOf(state: GameState, newest: LogRecord | undefined): Uint8Array | undefined {
    if (newest === undefined) return this.#encoder.kept(state)
    const cursor = cursorOfMessageId(newest.id)
    if (cursor?.epoch !== state.epoch || cursor.seq !== state.seq) return undefined
    const kind = kindOfRecord(newest.data)
    if (kind === undefined) return this.#encoder.kept(state)
    return kind === "change" ? this.#encoder.keyframeOf(state, newest.data) : newest.data
  }
}
