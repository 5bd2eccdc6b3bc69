/** Supervised matches on a test's log, with a store that the test can make slow, broken or empty. */
import { EventLog } from "@matchpoint/bus/EventLog"
import { Rejections } from "@matchpoint/bus/Rejections"
import { encodeAnnouncement } from "@matchpoint/contracts/bus/feed"
import { cursorOfMessageId, directorySubject, feedMessageId, feedSubject, LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import type { MatchId } from "@matchpoint/domain/ids"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { Checkpoints } from "@matchpoint/store/live/Checkpoints"
import { Matches } from "@matchpoint/store/live/Matches"
import { ParkedMatches } from "@matchpoint/store/live/ParkedMatches"
import { StoreError } from "@matchpoint/store/StoreError"
import { type Duration, Effect, Layer, Option, Schedule, Stream } from "effect"

const settings = (linger: Duration.Input, lostRestartAfter: Duration.Input) =>
  Layer.effect(
    MatchConfig,
    Effect.map(MatchConfig, (defaults) => ({
      ...defaults,
      checkpointEvery: "10 millis" as const,
      lingerAfterEnd: linger,
      checkpointTimeout: "20 millis" as const,
      keepReadableEvery: "20 millis" as const,
      restartAfter: "10 millis" as const,
      lostRestartAfter,
    })),
  )

export const gone = (operation: string) => Effect.fail(new StoreError({ operation, cause: new Error("the database is gone") }))

const register: Partial<Matches["Service"]> = {
  find: () => Effect.succeedNone,
  markLive: () => Effect.succeed(true),
  advance: () => Effect.succeed(true),
  finish: () => Effect.succeed(true),
}

const noCheckpoints: Partial<Checkpoints["Service"]> = { load: () => Effect.succeedNone, save: () => Effect.succeed(true) }

/** Services of one process on the test's log. */
export const services = (options: {
  readonly matches?: Partial<Matches["Service"]>
  readonly checkpoints?: Partial<Checkpoints["Service"]>
  readonly parked?: Partial<ParkedMatches["Service"]>
  readonly linger?: Duration.Input
  /** By default longer than any test, so that a test times out if its match is mistaken for a lost one. */
  readonly lostRestartAfter?: Duration.Input
}) =>
  Layer.mergeAll(
    MatchCheckpoints.layer,
    Rejections.layer,
    settings(options.linger ?? "10 millis", options.lostRestartAfter ?? "1 minute"),
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.mock(ParkedMatches, { isWaiting: () => Effect.succeed(false), done: () => Effect.void, ...options.parked }),
        Layer.mock(Matches, { ...register, ...options.matches }),
        Layer.mock(Checkpoints, { ...noCheckpoints, ...options.checkpoints }),
      ),
    ),
  )

export const appendFacts = Effect.fnUntraced(function* (events: ReadonlyArray<FeedEvent>) {
  const log = yield* EventLog
  yield* Effect.forEach(
    events,
    (event) => log.append(feedSubject(event.matchId), feedMessageId(event.matchId, event.id), encodeFeedEvent(event)),
    { discard: true },
  )
})

export const announce = Effect.fnUntraced(function* (id: MatchId) {
  const log = yield* EventLog
  yield* log.append(directorySubject(id), id, encodeAnnouncement({ matchId: id, announcedAt: 0 }))
})

/** Reads published cursors until `done` returns true. */
export const untilCursor = Effect.fnUntraced(function* (id: MatchId, done: (epoch: number, seq: number) => boolean) {
  const log = yield* EventLog
  yield* log.consume(LIVE, liveSubject(id), { _tag: "First" }).pipe(
    Stream.takeUntil((record) => {
      const cursor = cursorOfMessageId(record.id)
      return cursor !== undefined && done(cursor.epoch, cursor.seq)
    }),
    Stream.runDrain,
    Effect.timeout("5 seconds"),
  )
})

export const lastCursor = Effect.fnUntraced(function* (id: MatchId) {
  const log = yield* EventLog
  return cursorOfMessageId(Option.getOrThrow(yield* log.last(LIVE, liveSubject(id))).id)
})

/** Polls until the condition holds. The time limit of the test ends the wait. */
export const until = (isSo: () => boolean) =>
  Effect.repeat(Effect.sync(isSo), { until: (holds) => holds, schedule: Schedule.spaced("5 millis") })
