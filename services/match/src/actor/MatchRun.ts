/**
 * The state of one running match, and what may change it:
 *
 * - `take` alone changes the state, and publishes the change first. So a checkpoint never contains a change that LIVE
 *   does not have yet.
 * - `take` and `moveTo` change the position in FEED.
 * - `take` and `inTurn` append to the subject of the match in LIVE, one at a time.
 */
import type { From, LogError, LogRecord } from "@matchpoint/bus/EventLog"
import { continueTrace } from "@matchpoint/bus/traceparent"
import { feedMessageId, feedSubject } from "@matchpoint/contracts/bus/subjects"
import type { GameEvent, GameState } from "@matchpoint/domain/game/GameRules"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import { Deferred, Effect, Metric, Semaphore } from "effect"
import type { Position } from "./CheckpointWriter.ts"
import { foldRecord, type Step } from "./foldRecord.ts"
import type { LostOwnership } from "./LostOwnership.ts"
import type { MatchParts } from "./MatchParts.ts"
import { isAfter } from "./MatchPublisher.ts"
import { isMovedUpTo } from "./movedFacts.ts"

export const eventsFolded = Metric.counter("matchpoint_match_feed_events_total", {
  description: "Feed events folded into a match",
  incremental: true,
})
export const framesPublished = Metric.counter("matchpoint_match_frames_total", {
  description: "Frames published to LIVE",
  incremental: true,
})
export const statesRepaired = Metric.counter("matchpoint_match_states_repaired_total", {
  description: "Changes that corrected earlier counts of a match, by kind of correction",
  incremental: true,
})

export const hasEnded = (state: GameState | undefined): boolean => state?.status === "completed" || state?.status === "cancelled"

/** Returns true if the match has ended and no further event can change its result. */
export const isSettled = ({ rules }: LiveGame, state: GameState): boolean => hasEnded(state) && rules.isOpen?.(state) !== true

export class MatchRun {
  readonly parts: MatchParts
  /** Succeeds once the match has ended. */
  readonly ended = Deferred.makeUnsafe<void>()
  /** Succeeds once the match has ended and no further event can change its result. */
  readonly settled = Deferred.makeUnsafe<void>()
  readonly #turn = Semaphore.makeUnsafe(1)
  #state: GameState | undefined
  #feedSequence: number
  /** Events folded and frames published that the metrics do not have yet. */
  #folded = 0
  #frames = 0

  /** `state` is the state to start from, if the match has one, and `feedSequence` its position in FEED, or 0. */
  constructor(parts: MatchParts, state: GameState | undefined, feedSequence: number) {
    this.parts = parts
    this.#state = state
    this.#feedSequence = feedSequence
  }

  /** The newest state, or undefined before the first one. */
  get state(): GameState | undefined {
    return this.#state
  }

  /** Sequence number of the last record of FEED that the state includes; 0 if FEED is read from its first record. */
  get feedSequence(): number {
    return this.#feedSequence
  }

  /** The newest state with its position in FEED, or undefined before the first one. */
  readonly newest = (): Position | undefined =>
    this.#state === undefined ? undefined : { state: this.#state, feedSequence: this.#feedSequence }

  /** Where FEED continues. */
  get from(): From {
    return this.#feedSequence === 0 ? { _tag: "First" } : { _tag: "After", sequence: this.#feedSequence }
  }

  /** Changes the position in FEED without a record. The state must include all events of the match up to it. */
  moveTo(feedSequence: number): void {
    this.#feedSequence = feedSequence
  }

  /** Folds records of FEED, in order, and publishes their changes. */
  take(records: ReadonlyArray<LogRecord>): Effect.Effect<void, LogError | LostOwnership> {
    return this.#turn.withPermit(Effect.ensuring(this.#takeFrom(records, 0), this.settle))
  }

  /** Runs an effect while no append of this run to LIVE is in flight. */
  inTurn<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return this.#turn.withPermit(effect)
  }

  /** Appends an event of the service itself to FEED. It comes back through `take`. */
  append(event: GameEvent) {
    const { game, log, matchId } = this.parts
    return log.append(feedSubject(matchId), feedMessageId(matchId, event.id), game.encodeEvent(event))
  }

  /** Adds to the metrics what was folded and published, and completes `ended` and `settled` if the state has got there. */
  readonly settle = Effect.suspend(() => {
    const { game, metrics } = this.parts
    eventsFolded.updateUnsafe(this.#folded, metrics)
    framesPublished.updateUnsafe(this.#frames, metrics)
    this.#folded = 0
    this.#frames = 0
    const state = this.#state
    if (state === undefined || !hasEnded(state)) return Effect.void
    const settles = isSettled(game, state)
    return Effect.andThen(Deferred.succeed(this.ended, undefined), settles ? Deferred.succeed(this.settled, undefined) : Effect.void)
  })

  // This is the hot path, so each record costs only one append to the log and creates no fiber, generator, span or
  // metric.
  #takeFrom(records: ReadonlyArray<LogRecord>, start: number): Effect.Effect<void, LogError | LostOwnership> {
    return Effect.suspend(() => {
      const { beforeMove, encoder, game, matchId, publisher } = this.parts
      for (let index = start; index < records.length; index++) {
        const record = records[index]
        if (record === undefined) break
        if (beforeMove > 0 && isMovedUpTo(record, beforeMove)) {
          this.#feedSequence = record.sequence
          continue
        }
        const state = this.#state
        const step = foldRecord(game, matchId, state, record)
        if (step._tag === "Rejected") {
          return Effect.flatMap(this.#reject(step, record), () => this.#takeFrom(records, index + 1))
        }
        const next = step.state
        if (step.repaired !== undefined) this.#noteRepair(step.repaired, next)
        // Changes that an earlier owner has already published are folded but not published again.
        if (!isAfter(next, publisher.published)) {
          this.#accept(step, record)
          continue
        }
        const publishing = publisher.publish(next, encoder.encode(state, next, step.event))
        const traced = record.traceparent === undefined ? publishing : continueTrace(record.traceparent, "match.publish", publishing)
        return Effect.flatMap(traced, () => {
          this.#frames += 1
          this.#accept(step, record)
          return this.#takeFrom(records, index + 1)
        })
      }
      return Effect.void
    })
  }

  /** Called only after the change has been published. */
  #accept({ event, repaired, state }: Extract<Step, { readonly _tag: "Accepted" }>, record: LogRecord): void {
    const { outbox, watch } = this.parts
    outbox?.add({ before: this.#state, after: state, event, repaired }, record.sequence)
    this.#state = state
    this.#feedSequence = record.sequence
    this.#folded += 1
    watch.observe(state, event, undefined)
  }

  #reject({ event, rejection }: Extract<Step, { readonly _tag: "Rejected" }>, record: LogRecord): Effect.Effect<void> {
    const { game, matchId, rejections, watch } = this.parts
    if (event !== undefined) watch.observe(this.#state, event, rejection.code)
    this.#feedSequence = record.sequence
    return game.rules.expectedRejections.has(rejection.code)
      ? rejections.count(rejection.code)
      : rejections.record(`${matchId}:${record.sequence}`, rejection)
  }

  #noteRepair(what: string, next: GameState): void {
    const { metrics, publisher } = this.parts
    if (isAfter(next, publisher.published)) Metric.withAttributes(statesRepaired, { what }).updateUnsafe(1, metrics)
  }
}
