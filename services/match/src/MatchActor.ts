/**
 * One live match: reads its facts from FEED, folds them, publishes each change to LIVE once, keeps a checkpoint, watches its
 * feeds. Everything that changes a match comes through FEED; the actor itself adds nothing to a frame, so that a second owner
 * (one that lost the match and does not know it yet) can only publish the same bytes again, which the log drops.
 *
 * It does not decide which matches run (MatchSupervisor), nor who hears of them (the gateway).
 */
import { dedupeWindowMillis, EventLog, type LogError, type LogRecord } from "@matchpoint/bus/EventLog"
import { Rejections } from "@matchpoint/bus/Rejections"
import { encodeFeedEvent } from "@matchpoint/contracts/bus/feed"
import { cursorOfMessageId, FEED, feedMessageId, feedSubject, LIVE, liveMessageId, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { isBehind, seriesOf } from "@matchpoint/domain/cs2/backupSeries"
import type { BackupSeries, FeedEvent } from "@matchpoint/domain/cs2/feedEvents"
import type { MatchState } from "@matchpoint/domain/cs2/state"
import { factId, type MatchId, matchNumber } from "@matchpoint/domain/ids"
import { Matches } from "@matchpoint/store/Matches"
import { Clock, DateTime, Deferred, Duration, Effect, Metric, Option, Semaphore, Stream } from "effect"
import { MatchEncoder } from "./encode/MatchEncoder.ts"
import { KeepReadable } from "./KeepReadable.ts"
import { MatchCheckpoints } from "./MatchCheckpoints.ts"
import { MatchConfig } from "./MatchConfig.ts"
import { foldRecord } from "./MatchFold.ts"
import { resultOf } from "./matchResult.ts"
import { type FeedTimes, heardAt, heardInStandby, sourceToChange, timesOf } from "./watchFeeds.ts"

export const eventsFolded = Metric.counter("match_feed_events_total", { description: "Feed events folded into a match", incremental: true })
export const framesPublished = Metric.counter("match_frames_total", { description: "Frames published to LIVE", incremental: true })

/** Well within what the log remembers of ids. */
const TRUST_FOR_MS = dedupeWindowMillis / 2

interface Cursor {
  readonly epoch: number
  readonly seq: number
}

const isAfter = (a: Cursor, b: Cursor): boolean => a.epoch > b.epoch || (a.epoch === b.epoch && a.seq > b.seq)

const isOver = (state: MatchState | undefined): boolean => state?.status === "completed" || state?.status === "cancelled"

/** Runs a match to its end. Fails when the log or the store does not answer; starting it again goes on where it was. */
export const runMatch = Effect.fn("MatchActor.run")(
  function* (matchId: MatchId) {
    const log = yield* EventLog
    const rejections = yield* Rejections
    const matches = yield* Matches
    const checkpoints = yield* MatchCheckpoints
    const settings = yield* MatchConfig

    const checkpoint = yield* checkpoints.load(matchId)
    let state: MatchState | undefined = checkpoint?.state
    let feedSequence = checkpoint?.feedSequence ?? 0
    if (state !== undefined && isOver(state)) {
      // An earlier owner stopped between the last checkpoint and the register.
      yield* finish(matches, state)
      return
    }

    const clock = yield* Clock.Clock
    const context = yield* Effect.context<never>()
    let published: Cursor = { epoch: 0, seq: 0 }
    /** When we last knew, or made, the newest frame of the log. */
    let knownAt = 0
    const lookAtLog = Effect.map(log.last(LIVE, liveSubject(matchId)), (record) => {
      const newest = Option.isNone(record) ? undefined : cursorOfMessageId(record.value.id)
      if (newest !== undefined && isAfter(newest, published)) published = newest
      knownAt = clock.currentTimeMillisUnsafe()
    })
    yield* lookAtLog
    let saved: Cursor = state ?? { epoch: 0, seq: 0 }
    let startRecorded = false
    let mapsRecorded = 0
    let times: FeedTimes = state === undefined ? { mainAt: undefined, backupAt: undefined } : timesOf(state)
    let standby: BackupSeries | undefined
    const encoder = new MatchEncoder()
    let folded = 0
    let frames = 0
    const over = yield* Deferred.make<void>()

    const append = (event: FeedEvent) => log.append(feedSubject(matchId), feedMessageId(matchId, event.id), encodeFeedEvent(event))

    const accept = (next: MatchState, record: LogRecord) => {
      // A checkpoint must never know of a frame that was not published: called when it was.
      state = next
      feedSequence = record.sequence
      folded += 1
    }

    // Hot path: one append per record, and no fiber, generator, span or metric of its own.
    const takeFrom = (records: ReadonlyArray<LogRecord>, start: number): Effect.Effect<void, LogError> =>
      Effect.suspend(() => {
        for (let index = start; index < records.length; index++) {
          const record = records[index]
          if (record === undefined) break
          const step = foldRecord(matchId, state, record)
          if (step.event !== undefined) times = heardAt(times, step.event)
          if (step._tag === "Rejected") {
            if (step.rejection.code === "backup_standby" && state !== undefined && step.event !== undefined) {
              standby = heardInStandby(state, standby, step.event)
            }
            feedSequence = record.sequence
            return Effect.flatMap(rejections.record(`${matchId}:${record.sequence}`, step.rejection), () => takeFrom(records, index + 1))
          }
          const next = step.state
          // An owner that stood still for so long may have lost its match, and the log forgotten the ids of what the next one published.
          if (clock.currentTimeMillisUnsafe() - knownAt > TRUST_FOR_MS) return Effect.flatMap(lookAtLog, () => takeFrom(records, index))
          // Silent until past what an earlier owner has published.
          if (!isAfter(next, published)) {
            accept(next, record)
            continue
          }
          const frame = encoder.encode(state, next, step.event)
          return Effect.flatMap(log.append(liveSubject(matchId), liveMessageId(matchId, next.epoch, next.seq), frame), () => {
            published = { epoch: next.epoch, seq: next.seq }
            knownAt = clock.currentTimeMillisUnsafe()
            frames += 1
            accept(next, record)
            return takeFrom(records, index + 1)
          })
        }
        return Effect.void
      })

    /** Held by whoever appends to LIVE. */
    const turn = Semaphore.makeUnsafe(1)
    const take = (records: ReadonlyArray<LogRecord>) => turn.withPermit(Effect.ensuring(takeFrom(records, 0), settle))

    const readable = new KeepReadable(log, matchId, encoder)
    const keepReadable = Effect.suspend(() => {
      const current: MatchState | undefined = state
      return current === undefined || isOver(current) || isAfter(published, current) ? Effect.void : Effect.asVoid(readable.check(current))
    }).pipe(
      turn.withPermit,
      Effect.catch((error) => Effect.logWarning("whether LIVE still has the match could not be looked up; it will be tried again", error)),
      Effect.andThen(Effect.sleep(settings.keepReadableEvery)),
      Effect.forever,
    )

    const settle = Effect.suspend(() => {
      eventsFolded.updateUnsafe(folded, context)
      framesPublished.updateUnsafe(frames, context)
      folded = 0
      frames = 0
      return isOver(state) ? Deferred.succeed(over, undefined) : Effect.void
    })

    const save = Effect.suspend(() => {
      const position: MatchState | undefined = state
      if (position === undefined || !isAfter(position, saved)) return Effect.void
      return checkpoints.save(position, feedSequence).pipe(
        Effect.tap(() => {
          saved = position
          return Effect.void
        }),
      )
    })

    // A record of ours that is older than `newest` is older than `own`: if that one is folded, all of FEED up to there is done with.
    const notePosition = Effect.gen(function* () {
      const { last: newest } = yield* log.bounds(FEED)
      const own = yield* log.last(FEED, feedSubject(matchId))
      const isFolded = Option.isNone(own) || own.value.sequence <= feedSequence
      const position: MatchState | undefined = state
      if (!isFolded || position === undefined || newest <= feedSequence) return
      feedSequence = newest
      yield* checkpoints.save(position, feedSequence)
    }).pipe(
      Effect.catch((error) => Effect.logWarning("how far FEED was read could not be noted; it will be tried again", error)),
      Effect.delay(settings.notePositionEvery),
      Effect.forever,
    )

    const recordStart = Effect.suspend(() => {
      const current: MatchState | undefined = state
      if (startRecorded || current?.status !== "live") return Effect.void
      return Effect.tap(markLive(matches, current), () =>
        Effect.sync(() => {
          startRecorded = true
        }),
      )
    })

    const recordMaps = Effect.suspend(() => {
      const current: MatchState | undefined = state
      const [one, two] = current?.seriesScore ?? [0, 0]
      if (!startRecorded || current?.status !== "live" || one + two <= mapsRecorded) return Effect.void
      return Effect.tap(matches.advance(matchNumber(current.matchId), [one, two]), () =>
        Effect.sync(() => {
          mapsRecorded = one + two
        }),
      )
    })

    const keepRecords = Effect.andThen(Effect.andThen(recordStart, recordMaps), save).pipe(
      // The live path never waits for the store. One that fails for a while costs folding at the next start; the match goes on.
      Effect.catch((error) => Effect.logWarning("the match could not be recorded; it will be tried again", error)),
      Effect.delay(settings.checkpointEvery),
      Effect.forever,
    )

    const watch = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const current: MatchState | undefined = state
      const source = current === undefined ? undefined : sourceToChange(current, times, now, Duration.toMillis(settings.quietAfter))
      if (current === undefined || source === undefined) return
      yield* Effect.logInfo(`${matchId}: source becomes ${source}`)
      yield* append({
        id: factId(`source:${current.epoch}:${current.seq}:${source}`),
        matchId,
        source: "main",
        observedAt: now,
        receivedAt: now,
        type: "SourceChanged",
        payload:
          source === "live_backup" && standby !== undefined && isBehind(seriesOf(current), standby)
            ? { source, series: standby }
            : { source },
      })
    }).pipe(
      Effect.catch((error) => Effect.logWarning("the watchdog could not append", error)),
      Effect.delay(settings.watchEvery),
      Effect.forever,
    )

    const historyLost = Effect.fnUntraced(function* (epoch: number) {
      const now = yield* Clock.currentTimeMillis
      yield* Effect.logWarning(`${matchId}: FEED lost records; epoch ${epoch} begins`)
      yield* append({
        id: factId(`history-lost:${epoch}`),
        matchId,
        source: "main",
        observedAt: now,
        receivedAt: now,
        type: "HistoryLost",
        payload: { epoch },
      })
    })

    const from = () => (feedSequence === 0 ? ({ _tag: "First" } as const) : ({ _tag: "After", sequence: feedSequence } as const))

    // What was folded before must be there to go on from, and what was published must come out of it again.
    const { first } = yield* log.bounds(FEED)
    if (state !== undefined && feedSequence + 1 < first) yield* historyLost(state.epoch + 1)
    yield* log.read(FEED, feedSubject(matchId), from()).pipe(Stream.runForEachArray(take))
    if (state !== undefined && isAfter(published, state)) yield* historyLost(Math.max(state.epoch, published.epoch) + 1)

    const feed = log.consume(FEED, feedSubject(matchId), from()).pipe(Stream.runForEachArray(take))
    const untilOver = Deferred.await(over).pipe(
      Effect.tap(() => save),
      Effect.andThen(Effect.sleep(settings.lingerAfterEnd)),
    )
    yield* Effect.raceAllFirst([feed, untilOver, keepRecords, notePosition, keepReadable, watch]).pipe(
      Effect.ensuring(Effect.ignore(save, { log: "Warn" })),
    )
    if (state !== undefined && isOver(state)) yield* finish(matches, state)
  },
  Effect.annotateLogs({ service: "match" }),
)

const markLive = (matches: Matches["Service"], state: MatchState) =>
  matches.markLive(matchNumber(state.matchId), DateTime.makeUnsafe(state.startedAt ?? state.observedAt))

/** The first end that is recorded stays: called when nothing more is to come. A short match may not even have been marked live. */
const finish = (matches: Matches["Service"], state: MatchState) =>
  Effect.andThen(
    markLive(matches, state),
    matches.finish(
      matchNumber(state.matchId),
      DateTime.makeUnsafe(state.endedAt ?? state.observedAt),
      state.status === "cancelled" ? "cancelled" : "completed",
      resultOf(state),
    ),
  )
