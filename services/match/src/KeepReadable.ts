/**
 * Keeps a match in LIVE for as long as it is not over, however quiet it is. LIVE forgets its oldest records, by bytes and by age. Before that
 * happens to the newest document of the match, it is appended again, under the cursor it has; readers that have it ignore the repeat.
 *
 * It appends to the match's subject like the actor itself, so the two must take turns: run it where no append of the actor is in flight.
 */
import type { EventLog, LogError, LogRecord } from "@matchpoint/bus/EventLog"
import { sinceKeyframe } from "@matchpoint/bus/sinceKeyframe"
import { cursorOfMessageId, keptMessageId, LIVE, liveSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { kindOfRecord } from "@matchpoint/contracts/stream/record"
import type { GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { Clock, Effect, Option } from "effect"
import type { LiveEncoder } from "./LiveGame.ts"

/** Half of what LIVE keeps by age. */
const OLD_AFTER_MS = Math.min(...streams.map((stream) => (stream.name === LIVE ? stream.maxAgeMs / 2 : Number.POSITIVE_INFINITY)))

/** About 4 MB: no LIVE is so small that it forgets these within a minute. */
const NEAR_RECORDS = 4_096

export class KeepReadable {
  readonly #log: EventLog["Service"]
  readonly #matchId: MatchId
  readonly #encoder: LiveEncoder
  /** The newest keyframe that is known; looked for again when it has got old. */
  #keyframe: Pick<LogRecord, "sequence" | "appendedAt"> | undefined

  readonly #nearRecords: number

  /** `nearRecords`: a keyframe with at most so many records of all matches after it is in no danger, whatever the log's size. */
  constructor(log: EventLog["Service"], matchId: MatchId, encoder: LiveEncoder, nearRecords = NEAR_RECORDS) {
    this.#nearRecords = nearRecords
    this.#log = log
    this.#matchId = matchId
    this.#encoder = encoder
  }

  /**
   * Looks once. `state`: the newest state that was published. Answers the sequence of the record that it appended, the last one of the
   * subject from then on; undefined: none was needed, or another owner has appended since.
   */
  check(state: GameState): Effect.Effect<number | undefined, LogError> {
    return Effect.gen({ self: this }, function* () {
      const { first, last } = yield* this.#log.bounds(LIVE)
      const now = yield* Clock.currentTimeMillis
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
        .append(liveSubject(this.#matchId), keptMessageId(this.#matchId, epoch, seq, last), repeat, {
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

  /** Undefined: the log is ahead of the state, or of another history. */
  #repeatOf(state: GameState, newest: LogRecord | undefined): Uint8Array | undefined {
    if (newest === undefined) return this.#encoder.kept(state)
    const cursor = cursorOfMessageId(newest.id)
    if (cursor?.epoch !== state.epoch || cursor.seq !== state.seq) return undefined
    const kind = kindOfRecord(newest.data)
    if (kind === undefined) return this.#encoder.kept(state)
    return kind === "change" ? this.#encoder.keyframeOf(state, newest.data) : newest.data
  }
}
