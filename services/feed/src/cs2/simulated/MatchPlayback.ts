/**
 * Plays one simulated match into FEED: from where it stopped, each fact at its time. It owns pace and order of one match's
 * facts; which matches are played is decided in `SimulatedFeed.ts`.
 *
 * A fact is appended under an id of its own and in order, so a match that is played twice, or again after a crash, leaves the same
 * facts in the log.
 */
import type { Appended, LogError } from "@matchpoint/bus/EventLog"
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import type { FeedEvent } from "@matchpoint/domain/cs2/live/feedEvents"
import { factId, type MatchId } from "@matchpoint/domain/ids"
import { type MatchOptions, simulateMatch } from "@matchpoint/simulator/cs2/simulateMatch"
import { type TimedFact, toFeedEvent } from "@matchpoint/simulator/cs2/timedFact"
import { Clock, Effect, Option, Schedule } from "effect"
import { feedPosition } from "./FeedPosition.ts"

export interface Pace {
  /** How fast simulated time runs against the clock; "max": without waiting. */
  readonly speed: number | "max"
  /** How long a match that begins now has been underway already, in its own milliseconds: what lies before is appended at once. */
  readonly underwayMs: number
}

/** Waits between attempts: 100 ms, 200 ms, ... 5 s. */
export const backoff = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")]).pipe(Schedule.jittered)

/** What is later than this is not hurried after: the match's time stands still for as long as the delay was. */
const PATIENCE_MS = 1_000

export interface PlaybackWatch {
  /** The facts in FEED so far, and how far into the match that is. */
  readonly onProgress: (facts: number, offsetMs: number) => void
  /** FEED has everything that lies before now. Called at least once, before the first wait. */
  readonly onCaughtUp: () => void
}

/** Ends when the last fact is in FEED. Fails with what repeating does not help against; the log's pauses it waits out. */
export const playMatch = Effect.fn("MatchPlayback.playMatch")(function* (
  options: MatchOptions,
  pace: Pace,
  { onCaughtUp, onProgress }: PlaybackWatch,
) {
  const clock = yield* Clock.Clock
  const readClock = () => wholeMillis(clock.currentTimeMillisUnsafe())
  yield* announce(options.matchId)
  const position = yield* feedPosition(options.matchId)
  const facts = simulateMatch(options)
  let ordinal = Option.isNone(position) ? 0 : position.value.ordinal
  const last = skip(facts, ordinal)
  const startedAt = readClock()
  // The moment that an offset in the match stands for. What was played before the start is told with the time it would have had.
  let anchor = { offsetMs: pace.underwayMs, at: startedAt }
  let backfillUntil = startedAt
  if (Option.isSome(position) && last !== undefined) {
    anchor = { offsetMs: last.offsetMs, at: position.value.observedAt }
    backfillUntil = 0
    onProgress(ordinal, last.offsetMs)
  }

  for (const fact of facts) {
    const due = pace.speed === "max" ? startedAt : anchor.at + (fact.offsetMs - anchor.offsetMs) / pace.speed
    let now = readClock()
    if (due > now) {
      onCaughtUp()
      yield* Effect.sleep(due - now)
      now = readClock()
    }
    const backfilled = due < backfillUntil
    if (!backfilled && now - due > PATIENCE_MS) anchor = { offsetMs: fact.offsetMs, at: now }
    yield* append(toFeedEvent(fact, { observedAt: backfilled ? Math.max(0, Math.round(due)) : now, receivedAt: now }))
    ordinal += 1
    onProgress(ordinal, fact.offsetMs)
  }
  onCaughtUp()
})

/** Ends a match that can't be continued; the match service closes it in the register when it reads that. */
export const cancelMatch = Effect.fn("MatchPlayback.cancelMatch")(function* (options: MatchOptions) {
  const { matchId } = options
  const now = wholeMillis(yield* Clock.currentTimeMillis)
  const times = { observedAt: now, receivedAt: now }
  yield* announce(matchId)
  if (Option.isNone(yield* feedPosition(matchId))) {
    for (const created of simulateMatch(options).take(1)) yield* append(toFeedEvent(created, times))
  }
  const payload = { winnerTeamId: null, reason: "cancelled" } as const
  yield* append({ id: factId("sim:cancelled"), matchId, source: "main", ...times, type: "MatchEnded", payload })
})

/** Feed events count whole milliseconds; a clock may count finer. */
const wholeMillis = (millis: number): number => Math.floor(millis)

/** The last of the first `count`, or of all if there are fewer. */
const skip = (facts: Iterator<TimedFact>, count: number): TimedFact | undefined => {
  let last: TimedFact | undefined
  for (let i = 0; i < count; i++) {
    const step = facts.next()
    if (step.done === true) break
    last = step.value
  }
  return last
}

/** Told again whenever a match is taken up again: services that run it already do not mind. */
const announce = (matchId: MatchId) => Effect.flatMap(FeedWriter, (writer) => persistently(writer.announce(matchId)))

const append = (event: FeedEvent) => Effect.flatMap(FeedWriter, (writer) => persistently(writer.append(event)))

/** Once it returns the record is in the log: a log that takes nothing for longer than the writer tries is waited for. */
const persistently = (attempt: Effect.Effect<Appended, LogError>): Effect.Effect<Appended, LogError> =>
  attempt.pipe(
    Effect.tapError((error) => Effect.logWarning("the log does not take a simulated fact", error)),
    Effect.retry({ schedule: backoff, while: (error) => error.retryable }),
  )
