/**
 * Runs one live match: reads its events from FEED, folds them into the state, publishes each change to LIVE once, saves
 * checkpoints and monitors the feeds. Every change arrives through FEED; the actor adds no data of its own. Publishing
 * never waits for the database. `MatchSupervisor` decides which matches run, the gateway which clients receive them,
 * and `LiveGame` what a match consists of.
 */
import { EventLog, type LogError, type LogRecord } from "@matchpoint/bus/EventLog"
import { Rejections } from "@matchpoint/bus/Rejections"
import { continueTrace } from "@matchpoint/bus/traceparent"
import { FEED, feedMessageId, feedSubject } from "@matchpoint/contracts/bus/subjects"
import type { GameEvent, GameState, SilenceLimits } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig, type MatchSettings } from "@matchpoint/game/live/MatchConfig"
import { doUnlessParked } from "@matchpoint/game/live/parking"
import { Matches } from "@matchpoint/store/live/Matches"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Clock, Deferred, Duration, Effect, Metric, Option, Random, Result, Schedule, Semaphore, Stream } from "effect"
import { WebhookOutbox } from "../webhooks/WebhookOutbox.ts"
import { CheckpointWriter } from "./CheckpointWriter.ts"
import { FeedWatch } from "./FeedWatch.ts"
import { KeyframeRepeater } from "./KeyframeRepeater.ts"
import { ListEntry } from "./ListEntry.ts"
import type { LostOwnership } from "./LostOwnership.ts"
import { MatchFeeds } from "./MatchFeeds.ts"
import { foldRecord, type Step } from "./MatchFold.ts"
import { type Cursor, isAfter, MatchPublisher } from "./MatchPublisher.ts"
import { MatchRegister } from "./MatchRegister.ts"
import { isMovedUpTo, positionBeforeMove } from "./movedFacts.ts"

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
export const historiesLost = Metric.counter("matchpoint_match_histories_lost_total", {
  description: "Times a match started a new epoch because records of FEED or LIVE were missing",
  incremental: true,
})

/**
 * True if the stored checkpoint is ahead, so that the database would reject this one. `last` is the sequence of the
 * last record of FEED.
 */
const isRefused = (state: GameState, last: number, stored: Cursor & { readonly feedSequence: number }): boolean =>
  isAfter(stored, state) || (!isAfter(state, stored) && last < stored.feedSequence)

const silenceLimits = (settings: MatchSettings): SilenceLimits => ({
  quietAfterMs: Duration.toMillis(settings.quietAfter),
  staleAfterMs: Duration.toMillis(settings.staleAfter),
  interruptedAfterMs: Duration.toMillis(settings.interruptedAfter),
  cancelAfterMs: Duration.toMillis(settings.cancelAfter),
})

const hasEnded = (state: GameState | undefined): boolean => state?.status === "completed" || state?.status === "cancelled"

/**
 * Runs a match until it ends. Fails with a log error if the log does not respond, or with `LostOwnership` if another
 * process owns the match. A restart continues where the previous run stopped.
 */
export const runMatch = Effect.fn("MatchActor.run")(
  function* (game: LiveGame, matchId: MatchId) {
    const log = yield* EventLog
    const feed = (yield* MatchFeeds).open(log, matchId)
    const rejections = yield* Rejections
    const checkpoints = yield* MatchCheckpoints
    const settings = yield* MatchConfig
    const { rules } = game
    /** True if the match has ended and no further event can change its result. */
    const isSettled = (state: GameState | undefined): boolean => state !== undefined && hasEnded(state) && rules.isOpen?.(state) !== true
    const register = new MatchRegister(yield* Matches, game)
    const tryAgain = (what: string) => (error: LogError | StoreError) => Effect.logWarning(`${matchId}: ${what}; retrying`, error)
    /** Waits for the end of an outage. Restarting the match would read its events again. */
    const outlasting = <E extends LostOwnership | StoreError, R>(what: string, write: Effect.Effect<unknown, E, R>) =>
      write.pipe(
        Effect.tapError((error) => (error._tag === "StoreError" ? tryAgain(what)(error) : Effect.void)),
        Effect.retry({
          while: (error) => error._tag === "StoreError" && !error.isPermanent,
          schedule: Schedule.min([Schedule.exponential(settings.restartAfter), Schedule.spaced(settings.restartAtMost)]),
        }),
      )
    const recordEnd = (ended: GameState) => outlasting("cannot record the end", doUnlessParked(matchId, "result", register.finish(ended)))

    // If the database does not respond, the match does not wait for its checkpoint but folds FEED from its first event.
    // A match whose events are all still in FEED therefore starts without delay.
    const checkpoint = yield* Effect.result(Effect.timeout(checkpoints.load(rules, matchId), settings.checkpointTimeout))
    if (Result.isFailure(checkpoint)) {
      yield* Effect.logWarning(`${matchId}: cannot read the checkpoint; folding FEED from the start`, checkpoint.failure)
    }
    const loaded = Result.getOrUndefined(checkpoint)
    let state: GameState | undefined = loaded?.state
    let feedSequence = state === undefined ? 0 : (loaded?.feedSequence ?? 0)
    if (state !== undefined && isSettled(state)) {
      yield* feed.end
      // The checkpoint shows that the match is over. An earlier owner may have stopped before it recorded the end.
      yield* recordEnd(state)
      // The last list entry may be missing for the same reason.
      const { position } = yield* MatchPublisher.open(matchId)
      if (position > 0) yield* new ListEntry(log, matchId, game, game.encoder()).check(state, position)
      return
    }

    const clock = yield* Clock.Clock
    const context = yield* Effect.context<never>()
    // The bounds must not be older than the checkpoint.
    const [publisher, { first, last }] = yield* Effect.all([MatchPublisher.open(matchId), feed.bounds], { concurrency: 2 })
    const newest = () => (state === undefined ? undefined : { state, feedSequence })
    const outbox = (yield* WebhookOutbox).open(game, matchId)
    const checkpointing = new CheckpointWriter(checkpoints, rules, newest, loaded, outbox?.flush)
    const monotonic = monotonicOf(clock)
    const stamp = () => Math.floor(clock.currentTimeMillisUnsafe())
    const feedWatch = new FeedWatch({
      log,
      matchId,
      monotonic,
      stamp,
      watchdog: rules.watchdog?.(state, silenceLimits(settings), monotonic()),
    })
    const encoder = game.encoder()
    let folded = 0
    let frames = 0
    const beforeMove = yield* positionBeforeMove(feed, feedSequence, first)
    let skipped = 0
    const over = yield* Deferred.make<void>()
    const settledDown = yield* Deferred.make<void>()

    const append = (event: GameEvent) => log.append(feedSubject(matchId), feedMessageId(matchId, event.id), game.encodeEvent(event))

    const accept = ({ event, repaired, state: next }: Extract<Step, { readonly _tag: "Accepted" }>, record: LogRecord) => {
      // Called only after the change has been published, because a checkpoint must never contain an unpublished change.
      outbox?.add({ before: state, after: next, event, repaired }, record.sequence)
      state = next
      feedSequence = record.sequence
      folded += 1
    }

    const noteRepair = (what: string, next: GameState): void => {
      if (isAfter(next, publisher.published)) Metric.withAttributes(statesRepaired, { what }).updateUnsafe(1, context)
    }

    // Hot path: each record costs one append to the log and creates no fiber, generator, span or metric.
    const takeFrom = (records: ReadonlyArray<LogRecord>, start: number): Effect.Effect<void, LogError | LostOwnership> =>
      Effect.suspend(() => {
        for (let index = start; index < records.length; index++) {
          const record = records[index]
          if (record === undefined) break
          if (beforeMove > 0 && isMovedUpTo(record, beforeMove)) {
            skipped = record.sequence
            continue
          }
          const step = foldRecord(game, matchId, state, record)
          if (step._tag === "Rejected") {
            const { rejection } = step
            if (step.event !== undefined) feedWatch.observe(state, step.event, rejection.code)
            feedSequence = record.sequence
            const note = rules.expectedRejections.has(rejection.code)
              ? rejections.count(rejection.code)
              : rejections.record(`${matchId}:${record.sequence}`, rejection)
            return Effect.flatMap(note, () => takeFrom(records, index + 1))
          }
          const next = step.state
          if (step.repaired !== undefined) noteRepair(step.repaired, next)
          // Changes that an earlier owner has published are folded but not published again.
          if (!isAfter(next, publisher.published)) {
            accept(step, record)
            feedWatch.observe(next, step.event, undefined)
            continue
          }
          const publishing = publisher.publish(next, encoder.encode(state, next, step.event))
          const traced = record.traceparent === undefined ? publishing : continueTrace(record.traceparent, "match.publish", publishing)
          return Effect.flatMap(traced, () => {
            frames += 1
            accept(step, record)
            feedWatch.observe(next, step.event, undefined)
            return takeFrom(records, index + 1)
          })
        }
        return Effect.void
      })

    /** Serializes all appends to LIVE. */
    const turn = Semaphore.makeUnsafe(1)
    const take = (records: ReadonlyArray<LogRecord>) => turn.withPermit(Effect.ensuring(takeFrom(records, 0), settle))

    const readable = new KeyframeRepeater(log, matchId, encoder)
    const keepReadable = Effect.suspend(() => {
      const current = state
      if (current === undefined || isSettled(current) || isAfter(publisher.published, current)) return Effect.void
      return Effect.map(readable.check(current), (sequence) => {
        if (sequence !== undefined) publisher.goOnFrom(sequence)
      })
    }).pipe(
      turn.withPermit,
      // Without a response, it is unknown whether the log contains the repeat. The actor fails on purpose: after its
      // restart, it reads the match's newest record and continues after it.
      Effect.catchIf(
        (error) => error.operation !== "append" || !error.retryable,
        (error) => Effect.logWarning(`${matchId}: cannot check whether LIVE still has the match`, error),
      ),
      Effect.delay(settings.keepReadableEvery),
      Effect.forever,
      // The matches of a takeover check at different times, and not while they begin.
      Effect.delay(Duration.toMillis(settings.keepReadableEvery) * (yield* Random.next)),
    )

    const entry = new ListEntry(log, matchId, game, encoder)
    const publishEntry = Effect.suspend(() =>
      state === undefined || isAfter(state, publisher.published) || isAfter(publisher.published, state)
        ? Effect.void
        : entry.check(state, publisher.position),
    ).pipe(Effect.catch((error) => Effect.logDebug(`${matchId}: cannot publish its list entry; the next check retries`, error)))
    // The matches of a takeover publish at different times.
    const keepListed = publishEntry.pipe(
      Effect.andThen(Effect.sleep(settings.listEvery)),
      Effect.forever,
      Effect.delay(Duration.toMillis(settings.listEvery) * (yield* Random.next)),
    )

    const settle = Effect.suspend(() => {
      eventsFolded.updateUnsafe(folded, context)
      framesPublished.updateUnsafe(frames, context)
      folded = 0
      frames = 0
      if (!hasEnded(state)) return Effect.void
      return Effect.andThen(Deferred.succeed(over, undefined), isSettled(state) ? Deferred.succeed(settledDown, undefined) : Effect.void)
    })

    // The newest sequence of FEED must be read before that of the match's last record. Once the match has applied the
    // latter, it has seen all of its records up to the former. In the opposite order, a record could arrive between the
    // two reads and wrongly count as applied.
    const notePosition = Effect.gen(function* () {
      const { last: newest } = yield* log.bounds(FEED)
      const own = yield* log.last(FEED, feedSubject(matchId))
      const isFolded = Option.isNone(own) || own.value.sequence <= feedSequence
      if (!isFolded || state === undefined || newest <= feedSequence) return
      feedSequence = newest
      yield* checkpointing.saveSequence
    }).pipe(
      Effect.catchTags({
        LogError: tryAgain("cannot save the position in FEED"),
        StoreError: tryAgain("cannot save the position in FEED"),
      }),
      Effect.delay(settings.notePositionEvery),
      Effect.forever,
    )

    const keepRecords = Effect.suspend(() =>
      state === undefined ? Effect.void : Effect.andThen(register.follow(state), checkpointing.save),
    ).pipe(
      // The only consequence is that more records must be folded at the next start.
      Effect.catchTag("StoreError", tryAgain("cannot save the match")),
      Effect.delay(settings.checkpointEvery),
      Effect.forever,
    )

    const watch = feedWatch.check(newest).pipe(
      Effect.flatMap((event) => {
        if (event === undefined) return Effect.void
        return Effect.andThen(
          Effect.logInfo(`${matchId}: the watchdog reports ${JSON.stringify(event.payload).slice(0, 200)}`),
          append(event),
        )
      }),
      Effect.catch((error) => Effect.logWarning(`${matchId}: the watchdog cannot append its event`, error)),
      Effect.delay(settings.watchEvery),
      Effect.forever,
    )

    const historyLost = Effect.fnUntraced(function* (epoch: number, why: string) {
      yield* Effect.logWarning(`${matchId}: ${why}; starting epoch ${epoch}`)
      yield* Metric.update(historiesLost, 1)
      yield* append(rules.historyLost(matchId, epoch, stamp()))
    })

    const from = () => (feedSequence === 0 ? ({ _tag: "First" } as const) : ({ _tag: "After", sequence: feedSequence } as const))

    // History has been lost if FEED no longer contains all records after the checkpoint, or if folding them does not
    // reproduce what was published.
    const isOtherLog = state !== undefined && (last < feedSequence || (yield* publisher.lacks(state)))
    const lostBefore = Effect.fnUntraced(function* (why: string) {
      const epoch = Math.max(state?.epoch ?? 0, publisher.published.epoch) + 1
      yield* historyLost(epoch, why)
      // The result of the remaining events of FEED does not continue the earlier epochs without the lost ones.
      publisher.startFrom(epoch)
    })
    if (isOtherLog) {
      yield* lostBefore(`the log ends before the checkpoint: FEED at ${last} instead of ${feedSequence}`)
      feedSequence = 0
    } else if (state === undefined && publisher.published.epoch > 1) {
      // FEED alone does not reproduce a match that has lost history before. The new epoch begins once FEED or the register has
      // given the match a state.
      if (Result.isFailure(checkpoint)) return yield* checkpoint.failure
      publisher.startFrom(publisher.published.epoch + 1)
    } else if (state !== undefined && beforeMove === 0 && feedSequence + 1 < first) {
      yield* lostBefore(`FEED has dropped records from ${feedSequence + 1} to ${first - 1}`)
    }
    yield* feed.read(from()).pipe(Stream.runForEachArray(take))
    feedSequence = Math.max(feedSequence, skipped)
    if (state === undefined && (loaded !== undefined || publisher.published.seq > 0)) {
      // A checkpoint may exist but could not be loaded. The actor fails and is restarted until the database responds.
      if (Result.isFailure(checkpoint)) return yield* checkpoint.failure
      yield* Effect.logError(`${matchId}: neither the checkpoint nor FEED describes the match; starting it again from the register`)
      const created = yield* register.createdAgain(matchId, stamp())
      if (created !== undefined) {
        yield* append(created)
        yield* feed.read(from()).pipe(Stream.runForEachArray(take))
      }
    }
    // `take` assigns `state`, which TypeScript's control flow analysis does not see.
    const reached = state as GameState | undefined
    if (reached !== undefined && isAfter(publisher.published, reached)) {
      yield* historyLost(Math.max(reached.epoch, publisher.published.epoch) + 1, "LIVE has records that do not follow from FEED")
    } else if (reached !== undefined && loaded !== undefined && isRefused(reached, last, loaded)) {
      yield* historyLost(Math.max(reached.epoch, loaded.epoch) + 1, "the checkpoint is ahead of FEED")
    }

    const follow = feed.consume(from()).pipe(Stream.runForEachArray(take))
    // A result that can still change is recorded as open, and again once it is final.
    const saveEnd = outlasting("cannot save the match", checkpointing.save)
    const untilSettled = Effect.suspend(() =>
      state === undefined || isSettled(state)
        ? Effect.void
        : outlasting("cannot record the end", register.finish(state)).pipe(
            Effect.andThen(Deferred.await(settledDown)),
            Effect.andThen(saveEnd),
          ),
    )
    const untilOver = Deferred.await(over).pipe(
      Effect.tap(() => Effect.andThen(publishEntry, saveEnd)),
      Effect.andThen(Effect.sleep(settings.lingerAfterEnd)),
      Effect.andThen(untilSettled),
    )
    // Settles a match that had already ended before this process started.
    yield* settle
    yield* Effect.raceAllFirst([follow, untilOver, keepRecords, notePosition, keepReadable, keepListed, watch]).pipe(
      // The save has a timeout, so that the restart of a failed match is not delayed if the database does not respond.
      Effect.ensuring(
        checkpointing.save.pipe(
          Effect.timeout(settings.checkpointTimeout),
          Effect.catch((error) => Effect.logWarning(`${matchId}: cannot save the last state; the next start folds it again`, error)),
        ),
      ),
    )
    if (state !== undefined && hasEnded(state)) yield* recordEnd(state)
  },
  Effect.annotateLogs({ service: "match" }),
)
